import Glibc
import Testing

@testable import busctl_rx

@Suite("The choice of the pager follows systemd's rules")
struct PagerChoiceTests {
    private func choice(_ variables: [String: String], jumpsToEnd: Bool = false, ownRights: Bool = true) -> PagerChoice?
    {
        PagerChoice(jumpsToEnd: jumpsToEnd, { variables[$0] }, hasOwnRights: { ownRights })
    }

    @Test("SYSTEMD_PAGER has precedence over PAGER; if it is empty or cat, no pager is used")
    func none() {
        for value in ["", " \t", "cat", " cat "] {
            #expect(choice(["SYSTEMD_PAGER": value, "PAGER": "less"]) == nil)
            #expect(choice(["PAGER": value]) == nil)
            #expect(choice(["SYSTEMD_PAGER": "less", "PAGER": value]) != nil)
        }
    }

    @Test("a named pager is started only if SYSTEMD_PAGERSECURE is set, and its command is split at white space")
    func named() {
        let usual = [["pager"], ["less"], ["more"]]
        let words = [["most", "-s", "'a", "b'"]]
        #expect(choice([:])?.commands == usual)
        #expect(choice(["PAGER": "most"])?.commands == usual)
        #expect(choice(["PAGER": "most -s  'a b'", "SYSTEMD_PAGERSECURE": "0"])?.commands == words + usual)
        #expect(choice(["PAGER": "most -s 'a b'", "SYSTEMD_PAGERSECURE": "Yes"])?.commands == words + [["less"]])
        let odd = choice(["PAGER": "most", "SYSTEMD_PAGERSECURE": "x"])
        #expect(odd?.commands == [["less"]] && odd?.warning?.contains("SYSTEMD_PAGERSECURE") == true)
    }

    @Test("with another user's rights only less is used, because it can be kept from starting programs")
    func secure() {
        for (variables, ownRights, isSecure) in [
            ([:], true, false), ([:], false, true), (["SUDO_UID": "1000"], true, true),
            (["SYSTEMD_PAGERSECURE": "0"], false, false), (["SYSTEMD_PAGERSECURE": "1"], true, true),
        ] as [([String: String], Bool, Bool)] {
            let choice = choice(variables, ownRights: ownRights)
            #expect(choice?.variables["LESSSECURE"] == .some(isSecure ? "1" : nil))
            #expect(choice?.commands == (isSecure ? [["less"]] : [["pager"], ["less"], ["more"]]))
        }
    }

    @Test("the environment of less")
    func less() {
        #expect(choice([:])?.variables["LESS"] == "FRSXMK")
        #expect(choice([:], jumpsToEnd: true)?.variables["LESS"] == "FRSXMK +G")
        #expect(choice(["SYSTEMD_LESS": "F", "LESS": "K"], jumpsToEnd: true)?.variables["LESS"] == "F +G")
        #expect(choice([:])?.lessTakesInterrupts == false)
        #expect(choice(["SYSTEMD_LESS": "FRSXM"])?.lessTakesInterrupts == true)
        #expect(choice(["SYSTEMD_LESSCHARSET": "koi8-r"])?.variables["LESSCHARSET"] == "koi8-r")
        for (variables, charset) in [
            ([:], "utf-8"), (["LANG": "C"], nil), (["LANG": "de_DE.UTF-8"], "utf-8"), (["LANG": "C.utf8"], "utf-8"),
            (["LANG": "C.UTF-8", "LC_ALL": "C"], nil), (["LANG": "C", "LC_CTYPE": "C.UTF-8", "LC_ALL": ""], "utf-8"),
        ] as [([String: String], String?)] {
            #expect(choice(variables)?.variables["LESSCHARSET"] == charset.map { .some($0) })
        }
    }

    @Test(
        "the user who logged in is found by the slice",
        arguments: [
            ("0::/user.slice/user-1000.slice/session-2.scope\n", 1000),
            ("0::/user.slice/user-0.slice/user@0.service/app.slice/x.scope\n", 0),
            ("12:pids:/a\n1:name=systemd:/user.slice/user-7.slice/session-2.scope\n0::/\n", 7),
            ("0::/\n", nil), ("0::/system.slice/cron.service\n", nil), ("", nil), ("0::/user.slice\n", nil),
            ("0::/user.slice/user-x.slice/a\n", nil), ("0::/user.slice/user-1-2.slice/a\n", nil),
            ("0::/system.slice/a.service/user-5.slice\n", nil), ("0::/user-99999999999.slice\n", nil),
        ] as [(String, uid_t?)]
    )
    func owner(list: String, uid: uid_t?) {
        #expect(SessionOwner.uid(in: list) == uid)
    }
}
