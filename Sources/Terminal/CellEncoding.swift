import CNcurses
import Filter
import Glibc

/// Cells in the form that ncurses takes.
///
/// The canvas and ncurses must agree on how many columns a character takes, or what is to its right would be shifted. A character on which they do not
/// agree, or which the locale's encoding lacks, is replaced.
struct CellEncoding {
    /// How ncurses shows a colour: by attributes or by a pair of colours.
    typealias Colors = [Style.Color: (attributes: Int, pair: CShort)]

    /// `true` for UTF-8.
    let hasUnicode: Bool
    let colors: Colors

    /// The characters of a row; a wide one is one of them.
    func encode(_ cells: [Canvas.Cell], columns: Int) -> [cchar_t] {
        var encoded: [cchar_t] = []
        var column = 0
        while column < columns {
            let cell = column < cells.count ? cells[column] : .blank
            let isWide = column + 1 < min(cells.count, columns) && cells[column + 1].isContinuation
            for text in characters(cell.text, width: isWide ? 2 : 1) {
                encoded.append(encode(text, cell.style))
            }
            column += isWide ? 2 : 1
        }
        return encoded
    }

    private func encode(_ text: [wchar_t], _ style: Style) -> cchar_t {
        let color = style.color.flatMap { colors[$0] } ?? (0, 0)
        var value = color.attributes
        if style.isBold { value |= Int(A_BOLD) }
        if style.isDim { value |= Int(A_DIM) }
        if style.isReversed { value |= Int(A_REVERSE) }
        if style.isUnderlined { value |= Int(A_UNDERLINE) }
        var cell = cchar_t()
        setcchar(&cell, text + [0], attr_t(value), color.pair, nil)
        return cell
    }

    /// For each character of the terminal, its code and those of its marks.
    private func characters(_ text: String, width: Int) -> [[wchar_t]] {
        if text.utf8.count == 1, let code = text.utf8.first { return [[wchar_t(code)]] }
        var codes = text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
        guard let base = codes.first, cncurses_columns(base) == width else {
            let replacement: [wchar_t] = [hasUnicode ? 0xFFFD : 0x3F]
            return [replacement] + Array(repeating: [0x20], count: width - 1)
        }
        codes = [base] + text.unicodeScalars.dropFirst().filter(isMark).map { wchar_t(bitPattern: $0.value) }
        return [Array(codes.prefix(Int(CCHARW_MAX)))]
    }

    /// Terminals disagree on the width of a character with a variation selector, and of joined ones.
    private func isMark(_ scalar: Unicode.Scalar) -> Bool {
        cncurses_columns(wchar_t(bitPattern: scalar.value)) == 0 && scalar.properties.generalCategory != .format
            && !scalar.properties.isVariationSelector
    }
}
