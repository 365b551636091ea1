import { fold } from '../../platform/text/sort-key.ts'

/** One emoji as it is seen: a flag, or pictures that are joined into one; or another sign such as a star. */
const emoji =
  /\p{RI}\p{RI}|\p{Extended_Pictographic}[\uFE0E\uFE0F\p{EMod}]*[\u{E0020}-\u{E007F}]*(?:\u200D\p{Extended_Pictographic}[\uFE0E\uFE0F\p{EMod}]*)*|\p{So}/gu
const skinOrStyle = /[\uFE0E\uFE0F\p{EMod}]/gu
const isMeant = /^\p{RI}|\p{Emoji_Presentation}|\uFE0F/u
const isPicture = /^(?:\p{RI}|\p{Extended_Pictographic}|\p{So})/u

/** Most texts have none of these, and every picture is among them. */
const beyondAscii = /\P{ASCII}/u
const none: readonly string[] = []

/** Whatever their colour of skin. Signs that stand for letters, such as `™`, are these letters. */
const emojiIn = (text: string): readonly string[] =>
  beyondAscii.test(text) ? (text.match(emoji) ?? []).filter((each) => fold(each) === '') : none
const plainEmoji = (text: string): string => text.replace(skinOrStyle, '')

/** What somebody may look for by a picture; hearts and stars of plain text too. */
export const signWords = (text: string): string[] => emojiIn(text).map(plainEmoji)

/** Beside words, only what is a picture on every screen is looked for: `Lucky ★ Star` is also `Lucky Star`. */
export const soughtSigns = (text: string): string[] =>
  emojiIn(text)
    .filter((each) => isMeant.test(each))
    .map(plainEmoji)

/** A mistake in it is another picture. */
export const isSign = (word: string): boolean => isPicture.test(word)
