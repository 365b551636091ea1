// Numbers and truth values that arrive as text

/** Digits, and nothing else that could be taken for a number somewhere. */
export const wholeIn = (text: string): number | undefined => (/^-?\d+$/.test(text) ? finite(Number(text)) : undefined)

export const numberIn = (text: string): number | undefined =>
  /^-?\d+(\.\d+)?$/.test(text) ? finite(Number(text)) : undefined

export const truthIn = (text: string): boolean | undefined =>
  text === 'true' || text === 'false' ? text === 'true' : undefined

/** Any whole number is a page number, however long; four hundred digits are simply very far behind the end. */
const finite = (number: number): number => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, number))
