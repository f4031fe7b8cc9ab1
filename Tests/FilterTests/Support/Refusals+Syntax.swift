extension Refusals {
    static let syntax: [Refusal] = [
        Refusal(
            #"message = "x""#,
            #"""
            line 1, column 9: found =; write == to compare
              message = "x"
                      ^
            """#
        ),
        Refusal(
            #"priority <= 3 & pid == 1"#,
            #"""
            line 1, column 15: found &; write && (or: and) to join two conditions
              priority <= 3 & pid == 1
                            ^
            """#
        ),
        Refusal(
            #"priority <= 3 | pid == 1"#,
            #"""
            line 1, column 15: found |; write || (or: or) to join two conditions
              priority <= 3 | pid == 1
                            ^
            """#
        ),
        Refusal(
            #"message === "x""#,
            #"""
            line 1, column 9: found ===; write ==
              message === "x"
                      ^^^
            """#
        ),
        Refusal(
            #"message <> "x""#,
            #"""
            line 1, column 9: found <>; write !=
              message <> "x"
                      ^^
            """#
        ),
        Refusal(
            #"message == “x”"#,
            #"""
            line 1, column 12: found the typographic quote “; write " around text
              message == “x”
                         ^
            """#
        ),
        Refusal(
            #"message == "x"#,
            #"""
            line 1, column 12: this text has no closing "
              message == "x
                         ^^
            """#
        ),
        Refusal(
            #"message == 'it's'"#,
            #"""
            line 1, column 16: found s where an operator was expected; join conditions with && or ||, and put text in quotes
              message == 'it's'
                             ^
            """#
        ),
        Refusal(
            #"(priority <= 3 && pid == 1"#,
            #"""
            line 1, column 1: this ( is never closed; add the missing )
              (priority <= 3 && pid == 1
              ^
            """#
        ),
        Refusal(
            #"[1, 2"#,
            #"""
            line 1, column 1: this [ is never closed; add the missing ]
              [1, 2
              ^
            """#
        ),
        Refusal(
            #"priority in (1, 2)"#,
            #"""
            line 1, column 15: found , between parentheses; a list is written [1, 2]
              priority in (1, 2)
                            ^
            """#
        ),
        Refusal(
            #""time" in message"#,
            #"""
            line 1, column 11: in looks into a list; for text within text write message.contains("time")
              "time" in message
                        ^^^^^^^
            """#
        ),
        Refusal(
            #"priority <= 3 AND pid == 1"#,
            #"""
            line 1, column 15: found AND where an operator was expected; write and, or &&
              priority <= 3 AND pid == 1
                            ^^^
            """#
        ),
        Refusal(
            #"NOT priority == 3"#,
            #"""
            line 1, column 1: found NOT; write not, in small letters
              NOT priority == 3
              ^^^
            """#
        ),
        Refusal(
            #"priority not in [1]"#,
            #"""
            line 1, column 10: found not where an operator was expected; write not before the whole condition, as in not x in [1, 2]
              priority not in [1]
                       ^^^
            """#
        ),
        Refusal(
            #"message contains "x""#,
            #"""
            line 1, column 9: found contains where an operator was expected; write message.contains("x")
              message contains "x"
                      ^^^^^^^^
            """#
        ),
        Refusal(
            #"time - time > 5m"#,
            #"""
            line 1, column 15: 5m is neither a number nor a name; a duration is written duration("5m")
              time - time > 5m
                            ^^
            """#
        ),
        Refusal(
            #"message == "\q""#,
            #"""
            line 1, column 13: \q is no escape; write \\q for a backslash, or r"…" for a text without escapes
              message == "\q"
                          ^^
            """#
        ),
        Refusal(
            #"message == "\xZZ""#,
            #"""
            line 1, column 13: \x is incomplete: 2 hexadecimal digits must stand here
              message == "\xZZ"
                          ^^
            """#
        ),
        Refusal(
            #"message == "\ud800""#,
            #"""
            line 1, column 13: \ud800 is half of a surrogate pair
              message == "\ud800"
                          ^^^^^^
            """#
        ),
        Refusal(
            #"b"\u0041" == b"A""#,
            #"""
            line 1, column 3: bytes have no code points; write them as \xHH or \OOO
              b"\u0041" == b"A"
                ^^^^^^
            """#
        ),
        Refusal(
            #"pid == 99999999999999999999"#,
            #"""
            line 1, column 8: 99999999999999999999 does not fit into 64 bits
              pid == 99999999999999999999
                     ^^^^^^^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"pid == 9223372036854775808"#,
            #"""
            line 1, column 8: 9223372036854775808 does not fit into a signed whole number of 64 bits; write 9223372036854775808u for an unsigned one
              pid == 9223372036854775808
                     ^^^^^^^^^^^^^^^^^^^
            """#
        ),
        Refusal(
            #"pid == 12abc"#,
            #"""
            line 1, column 8: 12abc is neither a number nor a name; put text in quotes, or a blank after the number
              pid == 12abc
                     ^^^^^
            """#
        ),
        Refusal(
            #"pid == 0x"#,
            #"""
            line 1, column 8: 0x must be followed by hexadecimal digits
              pid == 0x
                     ^^
            """#
        ),
        Refusal(
            #"kernel ? true"#,
            #"""
            line 1, column 8: this ? has no : after it; write condition ? then : otherwise
              kernel ? true
                     ^
            """#
        ),
        Refusal(
            #"priority <= 3 &&"#,
            #"""
            line 1, column 17: expected a value after &&, found the end of the expression
              priority <= 3 &&
                              ^
            """#
        ),
        Refusal(
            #"&& priority <= 3"#,
            #"""
            line 1, column 1: expected a value, found &&; a condition is missing before it
              && priority <= 3
              ^^
            """#
        ),
        Refusal(
            #"priority <= 3)"#,
            #"""
            line 1, column 14: found ) where no ( is open; remove it, or add a ( before
              priority <= 3)
                           ^
            """#
        ),
        Refusal(
            #"priority <= 3 pid == 1"#,
            #"""
            line 1, column 15: found pid where an operator was expected; join conditions with && or ||, and put text in quotes
              priority <= 3 pid == 1
                            ^^^
            """#
        ),
        Refusal(
            #"priority <= 3, pid == 1"#,
            #"""
            line 1, column 14: found , where an operator was expected; join conditions with && or ||
              priority <= 3, pid == 1
                           ^
            """#
        ),
        Refusal(
            #"[1,2]["a"] == 1"#,
            #"""
            line 1, column 7: a list is indexed by a whole number, found text
              [1,2]["a"] == 1
                    ^^^
            """#
        ),
        Refusal(
            #"#foo"#,
            #"""
            line 1, column 1: found #; a comment begins with //
              #foo
              ^
            """#
        ),
        Refusal(
            #"priority == -"#,
            #"""
            line 1, column 14: expected a value after -, found the end of the expression
              priority == -
                           ^
            """#
        ),
        Refusal(
            #"a == not b"#,
            #"""
            line 1, column 6: not cannot stand here without parentheses; write (not …), or ! before the value
              a == not b
                   ^^^
            """#
        ),
        Refusal(
            #"message.`x"#,
            #"""
            line 1, column 9: a name between backticks may hold letters, digits, _ . - / and blanks, and must end with a backtick
              message.`x
                      ^^
            """#
        ),
        Refusal(
            #"message.in"#,
            #"""
            line 1, column 9: expected a name after the dot, found in
              message.in
                      ^^
            """#
        ),
        Refusal(
            #"message ? : 1"#,
            #"""
            line 1, column 11: expected a value after ?, found :
              message ? : 1
                        ^
            """#
        ),
        Refusal(
            #""#,
            #"""
            line 1, column 1: the expression is empty; write a condition such as priority <= 3
            """#
        ),
        Refusal(
            #"priority <= 3 == not kernel"#,
            #"""
            line 1, column 18: not cannot stand here without parentheses; write (not …), or ! before the value
              priority <= 3 == not kernel
                               ^^^
            """#
        ),
        Refusal(
            #"message == 'x' ; true"#,
            #"""
            line 1, column 16: found a semicolon; an expression is one condition: join several with && or ||
              message == 'x' ; true
                             ^
            """#
        ),
    ]
}
