extension Refusals {
    static let types: [Refusal] = [
        Refusal(
            #"priority < "err""#,
            #"""
            line 1, column 12: priority is a number, "err" is text; write priority < err
              priority < "err"
                         ^^^^^
            """#
        ),
        Refusal(
            #"priority < "3""#,
            #"""
            line 1, column 12: priority is a number, "3" is text; write priority < 3
              priority < "3"
                         ^^^
            """#
        ),
        Refusal(
            #"priority == "err""#,
            #"""
            line 1, column 13: priority is a number, "err" is text; write priority == err
              priority == "err"
                          ^^^^^
            """#
        ),
        Refusal(
            #""err" >= priority"#,
            #"""
            line 1, column 1: "err" is text, priority is a number; write err >= priority
              "err" >= priority
              ^^^^^
            """#
        ),
        Refusal(
            #"message == 3"#,
            #"""
            line 1, column 12: message is text, 3 is a number; write message == "3"
              message == 3
                         ^
            """#
        ),
        Refusal(
            #"pid == "123""#,
            #"""
            line 1, column 8: pid is a number, "123" is text; write pid == 123
              pid == "123"
                     ^^^^^
            """#
        ),
        Refusal(
            #"priority"#,
            #"""
            line 1, column 1: a filter answers true or false, and priority is a number; write has(priority), or compare it, as in priority == 3
              priority
              ^^^^^^^^
            """#
        ),
        Refusal(
            #"message"#,
            #"""
            line 1, column 1: a filter answers true or false, and message is text; write has(message), or message == "…"
              message
              ^^^^^^^
            """#
        ),
        Refusal(
            #""nginx""#,
            #"""
            line 1, column 1: a filter answers true or false, and "nginx" is text; write which field to compare, as in message.contains("nginx")
              "nginx"
              ^^^^^^^
            """#
        ),
        Refusal(
            #"!priority == 3"#,
            #"""
            line 1, column 2: ! needs a condition, and priority is a number; write !(…) around a whole comparison, or !has(priority)
              !priority == 3
               ^^^^^^^^
            """#
        ),
        Refusal(
            #"message.contains(3)"#,
            #"""
            line 1, column 18: contains() takes text, and 3 is a number; write "3"
              message.contains(3)
                               ^
            """#
        ),
        Refusal(
            #"message.size()"#,
            #"""
            line 1, column 1: a filter answers true or false, and message.size() is a number; compare it with something
              message.size()
              ^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"priority in [3, "err"]"#,
            #"""
            line 1, column 17: priority is a number, "err" is text: never equal; write err
              priority in [3, "err"]
                              ^^^^^
            """#
        ),
        Refusal(
            #"priority in 3"#,
            #"""
            line 1, column 13: in needs a list or a map after it, and 3 is a number; write [3]
              priority in 3
                          ^
            """#
        ),
        Refusal(
            #"1 < priority < 5"#,
            #"""
            line 1, column 14: comparisons cannot be chained; write 1 < priority && priority < 5
              1 < priority < 5
                           ^
            """#
        ),
        Refusal(
            #"unit == "a" || "b""#,
            #"""
            line 1, column 16: "b" alone is no condition; write unit in ["a", "b"]
              unit == "a" || "b"
                             ^^^
            """#
        ),
        Refusal(
            #"message like "x%""#,
            #"""
            line 1, column 9: found like where an operator was expected; write message.startsWith("x")
              message like "x%"
                      ^^^^
            """#
        ),
        Refusal(
            #"message =~ "(ab""#,
            #"""
            line 1, column 12: this regular expression is refused: missing ): (ab
              message =~ "(ab"
                         ^^^^^
            """#
        ),
        Refusal(
            #"message !~ "[z-a]""#,
            #"""
            line 1, column 12: this regular expression is refused: invalid character class range: z-a
              message !~ "[z-a]"
                         ^^^^^^^
            """#
        ),
        Refusal(
            #"priority =~ "3""#,
            #"""
            line 1, column 1: =~ matches text, and priority is a number; write string(priority) =~ …
              priority =~ "3"
              ^^^^^^^^
            """#
        ),
        Refusal(
            #"message =~ 3"#,
            #"""
            line 1, column 12: a regular expression is text, and 3 is a number; put it in quotes
              message =~ 3
                         ^
            """#
        ),
        Refusal(
            #"message.matches("*")"#,
            #"""
            line 1, column 17: this regular expression is refused: no argument for repetition operator: *
              message.matches("*")
                              ^^^
            """#
        ),
        Refusal(
            #"time > "2024-01-01T00:00:00Z""#,
            #"""
            line 1, column 8: time is a time, "2024-01-01T00:00:00Z" is text; write time > timestamp("2024-01-01T00:00:00Z")
              time > "2024-01-01T00:00:00Z"
                     ^^^^^^^^^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"time > timestamp("yesterday")"#,
            #"""
            line 1, column 18: "yesterday" is no time; write it as in timestamp("2024-01-31T12:00:00Z"), in the years 1 to 9999
              time > timestamp("yesterday")
                               ^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"time > timestamp("2024-02-30T00:00:00Z")"#,
            #"""
            line 1, column 18: "2024-02-30T00:00:00Z" is no time; write it as in timestamp("2024-01-31T12:00:00Z"), in the years 1 to 9999
              time > timestamp("2024-02-30T00:00:00Z")
                               ^^^^^^^^^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"time - time > duration("5 minutes")"#,
            #"""
            line 1, column 24: "5 minutes" is no duration; write duration("5m")
              time - time > duration("5 minutes")
                                     ^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"1 + 1u == 2"#,
            #"""
            line 1, column 3: 1 is a whole number, 1u is an unsigned whole number; + takes two of the same kind; convert one with int(…), uint(…) or double(…)
              1 + 1u == 2
                ^
            """#
        ),
        Refusal(
            #"load % 2.0 == 0.0"#,
            #"""
            line 1, column 6: load is a floating-point number, 2.0 is a floating-point number; % takes whole numbers; write int(…)
              load % 2.0 == 0.0
                   ^
            """#
        ),
        Refusal(
            #""a" + 1 == "a1""#,
            #"""
            line 1, column 5: "a" is text, 1 is a number; write string(1)
              "a" + 1 == "a1"
                  ^
            """#
        ),
        Refusal(
            #"priority ? true : false"#,
            #"""
            line 1, column 1: a condition must stand before ?, and priority is a number; write has(priority), or compare it, as in priority == 3
              priority ? true : false
              ^^^^^^^^
            """#
        ),
        Refusal(
            #"message[0] == "a""#,
            #"""
            line 1, column 1: message is text; only a list or a map can be indexed
              message[0] == "a"
              ^^^^^^^
            """#
        ),
        Refusal(
            #"duration(5) > duration("1s")"#,
            #"""
            line 1, column 10: duration() takes a duration or text, and 5 is a number; write "5s"
              duration(5) > duration("1s")
                       ^
            """#
        ),
        Refusal(
            #"null < 3"#,
            #"""
            line 1, column 6: null is neither less nor greater than anything; write == null, or has(…)
              null < 3
                   ^
            """#
        ),
        Refusal(
            #"-message == "a""#,
            #"""
            line 1, column 2: - needs a signed number, and message is text
              -message == "a"
               ^^^^^^^
            """#
        ),
        Refusal(
            #"kernel == "true""#,
            #"""
            line 1, column 11: kernel is true or false, "true" is text; write kernel == true
              kernel == "true"
                        ^^^^^^
            """#
        ),
    ]
}
