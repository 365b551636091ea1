/** A word as the text of a condition has it: what has spaces or signs of its own stands in quotes. */
export const wordText = (word: string): string => (/^[^\s"()[\],\p{C}]+$/u.test(word) ? word : JSON.stringify(word))
