public import Bus

public struct Measurement: Codable, Sendable {
    public var sensor: String
    public var number: Int
    public var celsius: Double

    public init(sensor: String, number: Int, celsius: Double) {
        self.sensor = sensor
        self.number = number
        self.celsius = celsius
    }
}

public struct Alarm: Codable, Sendable {
    public var text: String

    public init(text: String) {
        self.text = text
    }
}

extension Topic where Value == Measurement {
    public static var measurementTaken: Topic { Topic("measurement.taken") }
}

extension Topic where Value == Alarm {
    public static var alarmRaised: Topic { Topic("alarm.raised") }
}
