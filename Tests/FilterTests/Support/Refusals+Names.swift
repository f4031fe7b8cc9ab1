extension Refusals {
    static let names: [Refusal] = [
        Refusal(
            #"prioritty <= 3"#,
            #"""
            line 1, column 1: there is no field prioritty; did you mean priority?
              prioritty <= 3
              ^^^^^^^^^
            """#
        ),
        Refusal(
            #"mesage == "x""#,
            #"""
            line 1, column 1: there is no field mesage; did you mean message?
              mesage == "x"
              ^^^^^^
            """#
        ),
        Refusal(
            #"message == foo"#,
            #"""
            line 1, column 12: there is no field foo; if this is meant as text, put it in quotes: "foo"
              message == foo
                         ^^^
            """#
        ),
        Refusal(
            #"message.startswith("x")"#,
            #"""
            line 1, column 9: there is no function startswith(); did you mean startsWith()?
              message.startswith("x")
                      ^^^^^^^^^^
            """#
        ),
        Refusal(
            #"message.hasPrefix("x")"#,
            #"""
            line 1, column 9: there is no function hasPrefix(); did you mean startsWith()?
              message.hasPrefix("x")
                      ^^^^^^^^^
            """#
        ),
        Refusal(
            #"contains(message, "x")"#,
            #"""
            line 1, column 1: contains() is called on text; write message.contains("x")
              contains(message, "x")
              ^^^^^^^^
            """#
        ),
        Refusal(
            #"message.contains()"#,
            #"""
            line 1, column 9: contains() takes one value in its parentheses, found 0; write message.contains("text")
              message.contains()
                      ^^^^^^^^
            """#
        ),
        Refusal(
            #"message.contains("a", "b")"#,
            #"""
            line 1, column 9: contains() takes one value in its parentheses, found 2; write message.contains("text")
              message.contains("a", "b")
                      ^^^^^^^^
            """#
        ),
        Refusal(
            #"message.size > 3"#,
            #"""
            line 1, column 9: message is text and has no members; write message.size()
              message.size > 3
                      ^^^^
            """#
        ),
        Refusal(
            #"message =~ "a(?=b)""#,
            #"""
            line 1, column 12: this regular expression is refused: invalid perl operator: (?=; there is no look-around: join two conditions with && instead
              message =~ "a(?=b)"
                         ^^^^^^^^
            """#
        ),
        Refusal(
            #"for == 3"#,
            #"""
            line 1, column 1: for is a reserved word of the language and cannot name a field
              for == 3
              ^^^
            """#
        ),
        Refusal(
            #"record.mesage == "x""#,
            #"""
            line 1, column 8: there is no field mesage; did you mean message?
              record.mesage == "x"
                     ^^^^^^
            """#
        ),
        Refusal(
            #"record.?mesage.hasValue()"#,
            #"""
            line 1, column 9: there is no field mesage; did you mean message?
              record.?mesage.hasValue()
                      ^^^^^^
            """#
        ),
        Refusal(
            #"record == 3"#,
            #"""
            line 1, column 1: record is the whole record; name one of its fields, as in record.message
              record == 3
              ^^^^^^
            """#
        ),
        Refusal(
            #"has(mesage)"#,
            #"""
            line 1, column 5: there is no field mesage; did you mean message?
              has(mesage)
                  ^^^^^^
            """#
        ),
        Refusal(
            #"has(1)"#,
            #"""
            line 1, column 5: has() asks whether a record has a field, or a map a key; write has(NAME) or has(map.key), not has(1)
              has(1)
                  ^
            """#
        ),
        Refusal(
            #"has()"#,
            #"""
            line 1, column 1: has() takes one field, found 0; write has(NAME)
              has()
              ^^^
            """#
        ),
        Refusal(
            #"message.foo == 1"#,
            #"""
            line 1, column 9: message is text and has no members
              message.foo == 1
                      ^^^
            """#
        ),
        Refusal(
            #"foo(1)"#,
            #"""
            line 1, column 1: there is no function foo(); the functions here are bool, bytes, cidr, double, duration, dyn, fields, has, int, ip, isCIDR, isIP, matches, size, string, timestamp, type, uint
              foo(1)
              ^^^
            """#
        ),
        Refusal(
            #"message("x")"#,
            #"""
            line 1, column 1: message is a field, not a function; write it without parentheses
              message("x")
              ^^^^^^^
            """#
        ),
        Refusal(
            #"int(message, 2) == 1"#,
            #"""
            line 1, column 1: int() takes one value in its parentheses, found 2; write int(x)
              int(message, 2) == 1
              ^^^
            """#
        ),
        Refusal(
            #"Foo{a: 1} == 1"#,
            #"""
            line 1, column 4: Foo{…} would make a protobuf message, which there are none of here; a map is written {"key": value}
              Foo{a: 1} == 1
                 ^
            """#
        ),
        Refusal(
            #"message == True"#,
            #"""
            line 1, column 12: there is no True; write true
              message == True
                         ^^^^
            """#
        ),
        Refusal(
            #"message == nil"#,
            #"""
            line 1, column 12: there is no nil; write null
              message == nil
                         ^^^
            """#
        ),
        Refusal(
            #"unit == "日本語" && mesage == "x""#,
            #"""
            line 1, column 18: there is no field mesage; did you mean message?
              unit == "日本語" && mesage == "x"
                                  ^^^^^^
            """#
        ),
        Refusal(
            #"\#tunit == "a" &&\#tmesage == "x""#,
            #"""
            line 1, column 17: there is no field mesage; did you mean message?
              \#tunit == "a" &&\#tmesage == "x"
              \#t              \#t^^^^^^
            """#
        ),
        Refusal(
            #"not"#,
            #"""
            line 1, column 1: not needs a condition after it; put it in parentheses: not (…)
              not
              ^^^
            """#
        ),
        Refusal(
            #"(not)"#,
            #"""
            line 1, column 1: not needs a condition after it; put it in parentheses: not (…)
              (not)
              ^^^^^
            """#
        ),
        Refusal(
            #"unit == nginx.service"#,
            #"""
            line 1, column 9: there is no field nginx; if this is meant as text, put it in quotes: "nginx.service"
              unit == nginx.service
                      ^^^^^
            """#
        ),
        Refusal(
            #"unit == nginx-service"#,
            #"""
            line 1, column 9: there is no field nginx; if this is meant as text, put it in quotes: "nginx"
              unit == nginx-service
                      ^^^^^
            """#
        ),
    ]
}
