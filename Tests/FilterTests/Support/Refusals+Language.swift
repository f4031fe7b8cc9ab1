extension Refusals {
    /// Lists and maps, macros, optionals, and the functions of the extensions.
    static let language: [Refusal] = [
        Refusal(
            #"[1, 2].all(x > 0)"#,
            #"""
            line 1, column 8: all() names a variable and says what to do with it, found 1 value; write [1, 2].all(x, x > 0)
              [1, 2].all(x > 0)
                     ^^^
            """#
        ),
        Refusal(
            #"[1, 2].all(1, 2)"#,
            #"""
            line 1, column 12: all() names its variable first, as in all(x, …), found 1
              [1, 2].all(1, 2)
                         ^
            """#
        ),
        Refusal(
            #"[1, 2].map(x)"#,
            #"""
            line 1, column 8: map() names a variable and says what to do with it, found 1 value; write [1, 2].map(x, x + 1), or [1, 2].map(x, x > 0, x + 1)
              [1, 2].map(x)
                     ^^^
            """#
        ),
        Refusal(
            #"message.all(x, x == "a")"#,
            #"""
            line 1, column 1: all() goes through a list or a map, and message is text; write message.split("") for its characters
              message.all(x, x == "a")
              ^^^^^^^
            """#
        ),
        Refusal(
            #"priority.exists(x, x > 1)"#,
            #"""
            line 1, column 1: exists() goes through a list or a map, and priority is a number
              priority.exists(x, x > 1)
              ^^^^^^^^
            """#
        ),
        Refusal(
            #"[1, 2].all(x, x)"#,
            #"""
            line 1, column 15: all() asks a condition of each element, and x is a number; compare it with something
              [1, 2].all(x, x)
                            ^
            """#
        ),
        Refusal(
            #"[1, 2].exists(x, x == "a")"#,
            #"""
            line 1, column 20: x is a number, "a" is text; == cannot compare these
              [1, 2].exists(x, x == "a")
                                 ^^
            """#
        ),
        Refusal(
            #"[1, 2].exists(x, y > 1)"#,
            #"""
            line 1, column 18: there is no field y; did you mean x?
              [1, 2].exists(x, y > 1)
                               ^
            """#
        ),
        Refusal(
            #"[1, 2].all(x, x, x > 1)"#,
            #"""
            line 1, column 15: both variables are called x; give them two names
              [1, 2].all(x, x, x > 1)
                            ^
            """#
        ),
        Refusal(
            #"{"a": 1, "a": 2}.a == 1"#,
            #"""
            line 1, column 10: the key "a" stands twice in this map
              {"a": 1, "a": 2}.a == 1
                       ^^^
            """#
        ),
        Refusal(
            #"{1.5: 2} == {}"#,
            #"""
            line 1, column 2: a map's key is text, a whole number, true or false, and 1.5 is a floating-point number
              {1.5: 2} == {}
               ^^^
            """#
        ),
        Refusal(
            #"{"a": 1}.b.c == 1"#,
            #"""
            line 1, column 12: {"a": 1}.b is a number and has no members
              {"a": 1}.b.c == 1
                         ^
            """#
        ),
        Refusal(
            #"{"a": 1}[1] == 1"#,
            #"""
            line 1, column 10: the keys of this map are texts, and 1 is a number
              {"a": 1}[1] == 1
                       ^
            """#
        ),
        Refusal(
            #"{1: 1}.a == 1"#,
            #"""
            line 1, column 8: the keys of this map are not text; write {1: 1}[…]
              {1: 1}.a == 1
                     ^
            """#
        ),
        Refusal(
            #"1 in {"a": 1}"#,
            #"""
            line 1, column 1: in looks among a map's keys, which are text, and 1 is a number
              1 in {"a": 1}
              ^
            """#
        ),
        Refusal(
            #"[?1] == []"#,
            #"""
            line 1, column 3: an element written ?x must be an optional, and 1 is a number; write optional.of(1)
              [?1] == []
                ^
            """#
        ),
        Refusal(
            #"{?"a": 1} == {}"#,
            #"""
            line 1, column 8: an entry written ?key: x must be an optional, and 1 is a number; write optional.of(1)
              {?"a": 1} == {}
                     ^
            """#
        ),
        Refusal(
            #"optional.of(1) == 1"#,
            #"""
            line 1, column 16: optional.of(1) is an optional, 1 is a number; == cannot compare these
              optional.of(1) == 1
                             ^^
            """#
        ),
        Refusal(
            #"optional.of(1).orValue("a") == 1"#,
            #"""
            line 1, column 24: orValue() takes a number, and "a" is text
              optional.of(1).orValue("a") == 1
                                     ^^^
            """#
        ),
        Refusal(
            #"message.orValue("x") == "x""#,
            #"""
            line 1, column 1: orValue() is called on an optional, and message is text; write optional.of(message)
              message.orValue("x") == "x"
              ^^^^^^^
            """#
        ),
        Refusal(
            #"message.optMap(x, x) == 1"#,
            #"""
            line 1, column 1: optMap() is called on an optional, and message is text; write optional.of(message)
              message.optMap(x, x) == 1
              ^^^^^^^
            """#
        ),
        Refusal(
            #"optional.of(1).optFlatMap(x, x + 1).hasValue()"#,
            #"""
            line 1, column 30: optFlatMap() needs an optional, and x + 1 is a number; write optMap()
              optional.of(1).optFlatMap(x, x + 1).hasValue()
                                           ^^^^^
            """#
        ),
        Refusal(
            #"message.hasValue()"#,
            #"""
            line 1, column 1: hasValue() is called on an optional, and message is text; write optional.of(message)
              message.hasValue()
              ^^^^^^^
            """#
        ),
        Refusal(
            #"cel.bind(x, 1)"#,
            #"""
            line 1, column 5: cel.bind() takes a name, its value and an expression, found 2; write cel.bind(x, message.size(), x > 10 && x < 20)
              cel.bind(x, 1)
                  ^^^^
            """#
        ),
        Refusal(
            #"cel.bind(1, 2, 3)"#,
            #"""
            line 1, column 10: cel.bind() names its variable first, as in cel.bind(x, …), found 1
              cel.bind(1, 2, 3)
                       ^
            """#
        ),
        Refusal(
            #"cel.bind(x, 1, x + "a" == "b")"#,
            #"""
            line 1, column 18: x is a number, "a" is text; write string(x)
              cel.bind(x, 1, x + "a" == "b")
                               ^
            """#
        ),
        Refusal(
            #"math.abs("x") == 1"#,
            #"""
            line 1, column 10: math.abs() takes a number, and "x" is text
              math.abs("x") == 1
                       ^^^
            """#
        ),
        Refusal(
            #"math.min(1, 2) == 1"#,
            #"""
            line 1, column 1: there is no function math.min(); did you mean math.least()?
              math.min(1, 2) == 1
              ^^^^^^^^
            """#
        ),
        Refusal(
            #"math.foo(1) == 1"#,
            #"""
            line 1, column 1: there is no function math.foo(); did you mean math.floor()?
              math.foo(1) == 1
              ^^^^^^^^
            """#
        ),
        Refusal(
            #"math.greatest() == 1"#,
            #"""
            line 1, column 1: math.greatest() takes at least one value in its parentheses, found 0; write math.greatest(x, y)
              math.greatest() == 1
              ^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"math.greatest("a") == 1"#,
            #"""
            line 1, column 15: math.greatest() takes numbers, or one list of numbers, and "a" is text
              math.greatest("a") == 1
                            ^^^
            """#
        ),
        Refusal(
            #"math == 1"#,
            #"""
            line 1, column 1: math is not a field; its functions are math.greatest, math.least, math.ceil, math.floor, math.round, math.trunc, math.abs, math.sign, math.sqrt, math.isNaN, math.isInf, math.isFinite, math.bitAnd, math.bitOr, math.bitXor, math.bitNot, math.bitShiftLeft, math.bitShiftRight
              math == 1
              ^^^^
            """#
        ),
        Refusal(
            #"math.round(priority) == 3"#,
            #"""
            line 1, column 12: math.round() takes a floating-point number, and priority is a whole number; write double(priority)
              math.round(priority) == 3
                         ^^^^^^^^
            """#
        ),
        Refusal(
            #"math.bitAnd(1, 1u) == 1"#,
            #"""
            line 1, column 16: math.bitAnd() takes a whole number, and 1u is an unsigned whole number; write int(1u)
              math.bitAnd(1, 1u) == 1
                             ^^
            """#
        ),
        Refusal(
            #"time.getHours("Europe/Berln") == 3"#,
            #"""
            line 1, column 15: "Europe/Berln" is no time zone of this system; write one such as "Europe/Berlin", "UTC" or "+02:00"
              time.getHours("Europe/Berln") == 3
                            ^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"time.getHours(2) == 3"#,
            #"""
            line 1, column 15: getHours() takes text, and 2 is a number; write "2"
              time.getHours(2) == 3
                            ^
            """#
        ),
        Refusal(
            #"message.getHours() == 3"#,
            #"""
            line 1, column 1: getHours() is called on a time or a duration, and message is text
              message.getHours() == 3
              ^^^^^^^
            """#
        ),
        Refusal(
            #""%d %d".format([1]) == """#,
            #"""
            line 1, column 16: the format asks for 2 values, and the list has 1
              "%d %d".format([1]) == ""
                             ^^^
            """#
        ),
        Refusal(
            #""%y".format([1]) == """#,
            #"""
            line 1, column 1: %y is no way to write a value; there are %s, %d, %f, %e, %b, %o, %x, %X, and %% for a percent sign
              "%y".format([1]) == ""
              ^^^^
            """#
        ),
        Refusal(
            #"message.format([1, 2]) == "" && "%.2s".format([1]) == """#,
            #"""
            line 1, column 33: %.2s is no way to write a value; there are %s, %d, %f, %e, %b, %o, %x, %X, and %% for a percent sign
              message.format([1, 2]) == "" && "%.2s".format([1]) == ""
                                              ^^^^^^
            """#
        ),
        Refusal(
            #"ip("192.168.0.256") == ip("1.2.3.4")"#,
            #"""
            line 1, column 4: "192.168.0.256" is no IP address; write one without a zone or a prefix, and an IPv4 address by itself, as in ip("192.168.0.1")
              ip("192.168.0.256") == ip("1.2.3.4")
                 ^^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"cidr("10.0.0.0") == cidr("10.0.0.0/8")"#,
            #"""
            line 1, column 6: "10.0.0.0" is no network; write an IP address, a slash and the prefix' length, as in cidr("192.168.0.0/24")
              cidr("10.0.0.0") == cidr("10.0.0.0/8")
                   ^^^^^^^^^^
            """#
        ),
        Refusal(
            #"cidr("10.0.0.0/8").containsIP(3)"#,
            #"""
            line 1, column 31: containsIP() takes an IP address or text, and 3 is a number
              cidr("10.0.0.0/8").containsIP(3)
                                            ^
            """#
        ),
        Refusal(
            #"message.containsIP("1.2.3.4")"#,
            #"""
            line 1, column 1: containsIP() is called on a network, and message is text; write cidr(message)
              message.containsIP("1.2.3.4")
              ^^^^^^^
            """#
        ),
        Refusal(
            #"base64.decode(1) == b"""#,
            #"""
            line 1, column 15: base64.decode() takes text, and 1 is a number; write "1"
              base64.decode(1) == b""
                            ^
            """#
        ),
        Refusal(
            #"fields(message) == []"#,
            #"""
            line 1, column 8: fields() takes the name of one field in quotes; write fields("message")
              fields(message) == []
                     ^^^^^^^
            """#
        ),
        Refusal(
            #"fields("mesage") == []"#,
            #"""
            line 1, column 8: there is no field mesage; did you mean message?
              fields("mesage") == []
                     ^^^^^^^^
            """#
        ),
        Refusal(
            #"age == 3"#,
            #"""
            line 1, column 8: age is a duration, 3 is a number; write age == duration("3s")
              age == 3
                     ^
            """#
        ),
        Refusal(
            #"age < "5m""#,
            #"""
            line 1, column 7: age is a duration, "5m" is text; write age < duration("5m")
              age < "5m"
                    ^^^^
            """#
        ),
        Refusal(
            #"now > "2024-01-01""#,
            #"""
            line 1, column 7: now is a time, "2024-01-01" is text; write now > timestamp("2024-01-01T00:00:00Z")
              now > "2024-01-01"
                    ^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"time > now - "5m""#,
            #"""
            line 1, column 12: now is a time, "5m" is text; write duration("5m")
              time > now - "5m"
                         ^
            """#
        ),
        Refusal(
            #"message.substring("1") == "a""#,
            #"""
            line 1, column 19: substring() takes a number, and "1" is text; write 1
              message.substring("1") == "a"
                                ^^^
            """#
        ),
        Refusal(
            #"message.split() == []"#,
            #"""
            line 1, column 9: split() takes 1 or 2 values in its parentheses, found 0; write message.split(",")
              message.split() == []
                      ^^^^^
            """#
        ),
        Refusal(
            #"message.split(1) == []"#,
            #"""
            line 1, column 15: split() takes text, and 1 is a number; write "1"
              message.split(1) == []
                            ^
            """#
        ),
        Refusal(
            #"message.replace("a") == """#,
            #"""
            line 1, column 9: replace() takes 2 or 3 values in its parentheses, found 1; write message.replace("old", "new")
              message.replace("a") == ""
                      ^^^^^^^
            """#
        ),
        Refusal(
            #"message.lower() == "a""#,
            #"""
            line 1, column 9: there is no function lower(); did you mean lowerAscii()?
              message.lower() == "a"
                      ^^^^^
            """#
        ),
        Refusal(
            #"[1, 2].join(",") == """#,
            #"""
            line 1, column 1: join() is called on list(string), and [1, 2] is list(int)
              [1, 2].join(",") == ""
              ^^^^^^
            """#
        ),
        Refusal(
            #"size(1) == 1"#,
            #"""
            line 1, column 6: size() takes text, bytes, a list or a map, and 1 is a number
              size(1) == 1
                   ^
            """#
        ),
        Refusal(
            #"min(1, 2) == 1"#,
            #"""
            line 1, column 1: there is no function min(); did you mean math.least()?
              min(1, 2) == 1
              ^^^
            """#
        ),
        Refusal(
            #"transformList(1)"#,
            #"""
            line 1, column 1: transformList() is called on a list or a map, as in [1, 2].transformList(…)
              transformList(1)
              ^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"[1].transformMapEntry(i, v, v) == {}"#,
            #"""
            line 1, column 29: transformMapEntry() needs a map for each element, and v is a number; write {key: value}
              [1].transformMapEntry(i, v, v) == {}
                                          ^
            """#
        ),
        Refusal(
            #"[[[1]]].all(a, a.all(b, b.all(c, [1].all(d, [2].all(e, [3].all(f, [4].all(g, g == 4)))))))"#,
            #"""
            line 1, column 67: macros such as all() are nested more than 6 levels deep here, and each level multiplies the cost
              …all(c, [1].all(d, [2].all(e, [3].all(f, [4].all(g, g == 4)))))))
                                                       ^^^^^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"message.?size == 1"#,
            #"""
            line 1, column 10: message is text and has no members; write message.size()
              message.?size == 1
                       ^^^^
            """#
        ),
        Refusal(
            #"has(message.size)"#,
            #"""
            line 1, column 13: message is text and has no members; write message.size()
              has(message.size)
                          ^^^^
            """#
        ),
        Refusal(
            #"has({"a": 1}["a"])"#,
            #"""
            line 1, column 5: has() asks whether a record has a field, or a map a key; write has(NAME) or has(map.key), not has({"a": 1}["a"])
              has({"a": 1}["a"])
                  ^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"has(optional.of({"a": 1}).?a)"#,
            #"""
            line 1, column 5: has() asks whether a record has a field, or a map a key; write has(NAME) or has(map.key), not has(optional.of({"a": 1}).?a)
              has(optional.of({"a": 1}).?a)
                  ^^^^^^^^^^^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"duration("5x") < duration("1h")"#,
            #"""
            line 1, column 10: "5x" is no duration; write numbers with units (w, d, h, m, s, ms, us, ns), as in duration("1h30m")
              duration("5x") < duration("1h")
                       ^^^^
            """#
        ),
        Refusal(
            #"timestamp("2024-13-01T00:00:00Z") < now"#,
            #"""
            line 1, column 11: "2024-13-01T00:00:00Z" is no time; write it as in timestamp("2024-01-31T12:00:00Z"), in the years 1 to 9999
              timestamp("2024-13-01T00:00:00Z") < now
                        ^^^^^^^^^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"string == "a""#,
            #"""
            line 1, column 8: string is a type, "a" is text; == cannot compare these
              string == "a"
                     ^^
            """#
        ),
        Refusal(
            #"type(message) == "string""#,
            #"""
            line 1, column 18: type(message) is a type, "string" is text; write type(message) == string
              type(message) == "string"
                               ^^^^^^^^
            """#
        ),
        Refusal(
            #"message.charAt(0, 1) == "h""#,
            #"""
            line 1, column 9: charAt() takes one value in its parentheses, found 2; write message.charAt(2)
              message.charAt(0, 1) == "h"
                      ^^^^^^
            """#
        ),
        Refusal(
            #"record.message.foo == 1"#,
            #"""
            line 1, column 16: record.message is text and has no members
              record.message.foo == 1
                             ^^^
            """#
        ),
        Refusal(
            #"unit.matches("(")"#,
            #"""
            line 1, column 14: this regular expression is refused: missing ): (
              unit.matches("(")
                           ^^^
            """#
        ),
        Refusal(
            #"priority.startsWith("a")"#,
            #"""
            line 1, column 1: startsWith() is called on text, and priority is a number; write string(priority)
              priority.startsWith("a")
              ^^^^^^^^
            """#
        ),
        Refusal(
            #"{"a": 1} < {"b": 2}"#,
            #"""
            line 1, column 10: {"a": 1} is a map, {"b": 2} is a map; < cannot compare these
              {"a": 1} < {"b": 2}
                       ^
            """#
        ),
        Refusal(
            #"[1] < [2]"#,
            #"""
            line 1, column 5: [1] is a list, [2] is a list; < cannot compare these
              [1] < [2]
                  ^
            """#
        ),
        Refusal(
            #"{1, 2}"#,
            #"""
            line 1, column 3: expected : between a map's key and value, found ,; a list is written with [ ]
              {1, 2}
                ^
            """#
        ),
        Refusal(
            #"{"a" 1}"#,
            #"""
            line 1, column 6: expected : between a map's key and value, found the number 1; a list is written with [ ]
              {"a" 1}
                   ^
            """#
        ),
        Refusal(
            #"message.?"#,
            #"""
            line 1, column 10: expected a name after the .?, found the end of the expression
              message.?
                       ^
            """#
        ),
        Refusal(
            #"message[?"#,
            #"""
            line 1, column 8: this [ is never closed; add the missing ]
              message[?
                     ^
            """#
        ),
        Refusal(
            #"[1, 2].map(x, x > 1, )"#,
            #"""
            line 1, column 22: expected a value after ,, found )
              [1, 2].map(x, x > 1, )
                                   ^
            """#
        ),
    ]
}
