import Records
import Terminal

/// The meaning of keys and of the mouse.
extension ExploreModel {
    mutating func took(_ event: ScreenEvent) -> [Effect] {
        if case .resized = event { return [] }
        if case .ended = event { return [.end] }
        // Other keys would act unseen.
        if isTooSmall { return event == .text("q") ? [.end] : [] }
        notice = nil
        if showsHelp {
            showsHelp = false
            return []
        }
        if case .pointer(let pointer) = event { return took(pointer) }
        if focus == .filter { return type(event) }
        if case .prompt(let prompt) = focus { return answer(prompt, event) }
        switch event {
        case .text("q"): return [.end]
        case .text("/"), .text("e"): return beginTyping()
        case .text("?"), .key(.function(1)): showsHelp = true
        case .key(.tab): moveFocus(1)
        case .key(.backTab): moveFocus(-1)
        case .text("f"):
            showsFacets.toggle()
            listValues()
            focus = showsFacets ? .facets : .list
        case .text("d"):
            showsDetails.toggle()
            focus = showsDetails ? .details : .list
        case .text("p"): return showPatterns()
        case .text("t"): focus = focus == .timeline ? .list : .timeline
        case .key(.escape): leave()
        case .text("u"): return undo()
        case .text("r"): return ask(from: place)
        case .text("F"): return toggleFollowing()
        case .text("c"): notice = command
        case .text("a"): return around()
        case .text("U"): return chooseOf("unit")
        case .text("B"): return chooseOf("boot")
        case .text("P"): return chooseOf("pid")
        case .text("o"): return widen()
        case .text("s"): ask(.search, "")
        case .text("w"): ask(.export, "short ")
        case .text("n"): return search(goesBack: false)
        case .text("N"): return search(goesBack: true)
        case .text("m"):
            if let current = list.current, !marks.toggle(current) { notice = "There is no room for more marks." }
        case .text("'"): return nextMark()
        case .key(.control("l")): return [.redraw]
        default:
            switch focus {
            case .list: return listTook(event)
            case .timeline: return timelineTook(event)
            case .facets: return facetsTook(event)
            case .details: return detailsTook(event)
            case .filter, .prompt: break
            }
        }
        return []
    }

    mutating func moveFocus(_ step: Int) {
        let order: [Focus] =
            [.list, .timeline] + (showsFacets ? [.facets] : []) + (showsDetails ? [.details] : [])
        let index = order.firstIndex(of: focus) ?? 0
        focus = order[(index + step + order.count) % order.count]
    }

    mutating func leave() {
        switch focus {
        case .facets: showsFacets = false
        case .details: showsDetails = false
        case .timeline where timelineMark != nil:
            timelineMark = nil
            return
        default: break
        }
        focus = .list
    }

    mutating func showPatterns() -> [Effect] {
        let isNew = facets.add(CommonField.pattern.rawValue)
        showsFacets = true
        focus = .facets
        facets.move(to: 0)
        if isNew { return countFacets() }
        listValues()
        return []
    }

    private func distance(_ event: ScreenEvent, page: Int) -> Int? {
        switch event {
        case .key(.up), .text("k"): -1
        case .key(.down), .text("j"): 1
        case .key(.pageUp), .key(.control("b")): -page
        case .key(.pageDown), .key(.control("f")), .text(" "): page
        case .key(.home), .text("g"): .min / 2
        case .key(.end), .text("G"): .max / 2
        default: nil
        }
    }

    mutating func listTook(_ event: ScreenEvent) -> [Effect] {
        switch event {
        case .key(.enter):
            showsDetails.toggle()
            return []
        case .key(.home), .text("g"): if !list.hasBegin { return read(from: .begin) }
        case .key(.end), .text("G"): if !follows || !list.hasEnd || news > 0 { return ask(from: .end) }
        default: break
        }
        guard let distance = distance(event, page: max(1, layout.list.count - 1)) else { return [] }
        list.move(by: distance)
        detailCursor = 0
        if list.isAtEnd, news > 0 { return ask(from: .end) }
        return more()
    }

    mutating func toggleFollowing() -> [Effect] {
        follows.toggle()
        guard follows else { return [.stopFollowing] }
        return ask(from: .end)
    }

    mutating func timelineTook(_ event: ScreenEvent) -> [Effect] {
        guard let timeline else { return [] }
        switch event {
        case .key(.left), .text("h"): timelineCursor = max(0, timelineCursor - 1)
        case .key(.right), .text("l"): timelineCursor = min(timeline.columns - 1, timelineCursor + 1)
        case .key(.home), .text("g"): timelineCursor = 0
        case .key(.end), .text("G"): timelineCursor = timeline.columns - 1
        case .text(" "):
            timelineMark = timelineMark == nil ? timelineCursor : nil
            return []
        case .key(.enter), .text("+"):
            let steps = chosenSteps
            var new = query
            let times =
                timeline.times(of: steps.lowerBound).lowerBound...timeline.times(of: steps.upperBound).upperBound
            // The first and the last step may reach beyond what is counted in them.
            new.window = query.window.map { times.clamped(to: $0) } ?? times
            timelineMark = nil
            return choose(new, at: .end)
        case .text("-"): return widen()
        default: return []
        }
        return read(from: .time(timeline.times(of: timelineCursor).lowerBound))
    }

    /// Shows times before and behind those that are shown.
    mutating func widen() -> [Effect] {
        guard query.window != nil, let shown = shownTimes else { return [] }
        var new = query
        let length = shown.upperBound - shown.lowerBound
        let wide = shown.lowerBound - length...shown.upperBound + length
        let isAll = times.map { wide.lowerBound <= $0.lowerBound && wide.upperBound >= $0.upperBound } ?? true
        new.window = isAll ? nil : query.until == nil ? wide.lowerBound ... .max : wide
        return choose(new)
    }

    mutating func facetsTook(_ event: ScreenEvent) -> [Effect] {
        if let distance = distance(event, page: max(1, layout.list.count - 1)) {
            facets.move(to: facets.cursor + distance)
            return []
        }
        switch (event, facets.current) {
        case (.key(.enter), .field(let index, _)): facets.extend(index)
        case (.text("x"), .field(let index, _)):
            facets.remove(index)
            return countFacets()
        case (.key(.enter), .value(let index, let value, _)):
            return choose(facets.facets[index].path.text, value, isWanted: true)
        case (.text("x"), .value(let index, let value, _)):
            return choose(facets.facets[index].path.text, value, isWanted: false)
        default: break
        }
        return []
    }

    mutating func detailsTook(_ event: ScreenEvent) -> [Effect] {
        let fields = details
        if let distance = distance(event, page: 10) {
            detailCursor = max(0, min(detailCursor + distance, fields.count - 1))
            return []
        }
        guard fields.indices.contains(detailCursor), !fields[detailCursor].name.isEmpty else { return [] }
        let field = fields[detailCursor]
        switch event {
        case .key(.enter), .text("x"):
            guard field.isWhole else {
                notice = "The value is too long to be a part of the filter."
                return []
            }
            return choose(field.name, field.text, isWanted: event == .key(.enter))
        case .text("+"):
            guard facets.add(field.name) else { return [] }
            showsFacets = true
            return countFacets()
        default: return []
        }
    }

    /// All records around the one under the cursor.
    mutating func around() -> [Effect] {
        guard let current = list.current else { return [] }
        return choose(ExploreQuery(), at: .time(current.time.microseconds))
    }

    mutating func chooseOf(_ name: String) -> [Effect] {
        guard let current = list.current, let value = current.text(of: FieldPath(orNameOfField: name)) else {
            notice = "This record has no \(name)."
            return []
        }
        return choose(name, value, isWanted: true)
    }

    mutating func took(_ pointer: Pointer) -> [Effect] {
        let layout = layout
        switch pointer.action {
        case .wheelUp, .wheelDown:
            return listTook(.key(pointer.action == .wheelUp ? .up : .down))
        case .press, .doublePress:
            if pointer.place.row == layout.filter { return focus == .filter ? [] : beginTyping() }
            if focus == .filter { endTyping() }
            if layout.timeline.contains(pointer.place.row), let timeline {
                focus = .timeline
                timelineCursor = max(0, min(pointer.place.column - 1, timeline.columns - 1))
                if pointer.action == .doublePress { return timelineTook(.key(.enter)) }
                return read(from: .time(timeline.times(of: timelineCursor).lowerBound))
            }
            if let columns = layout.facets, layout.list.contains(pointer.place.row),
                columns.contains(pointer.place.column)
            {
                focus = .facets
                facets.move(to: firstFacet + pointer.place.row - layout.list.lowerBound)
                return pointer.action == .doublePress ? facetsTook(.key(.enter)) : []
            }
            if layout.list.contains(pointer.place.row) {
                focus = .list
                list.move(to: firstRecord + pointer.place.row - layout.list.lowerBound)
                if pointer.action == .doublePress { showsDetails.toggle() }
                return more()
            }
            return []
        default: return []
        }
    }
}
