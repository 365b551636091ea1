import { textLimits } from '../limits.ts'

/** A letter written as an entity twice over, `&amp;amp;`: its semicolon separates nothing. */
const semicolons = /(?<!&#?\w{1,10});|；/
const twiceEscaped = /&(?:amp|#38|#x26);/gi

/**
 * The names in one text, decision 040: between semicolons, for none stands in a name. `&`, `and` and a comma do stand in
 * names (`Ñandú & Söhne`; `Le Guin, Ursula K.`), and formats that list people have an element for each.
 */
export const namesIn = (text: string): string[] =>
  text
    .split(semicolons, textLimits.listLength)
    .map((name) => name.replace(twiceEscaped, '&').trim())
    .map((name) => /^"(?<inner>[^"]+)"$/.exec(name)?.groups?.inner ?? name)
    .filter((name) => name !== '')
