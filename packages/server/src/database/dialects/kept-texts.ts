const textsMax = 500

/** Texts of statements that are made once: making one takes longer than running it. */
export const keptTexts = () => {
  const texts = new Map<string, string>()
  return {
    textOf: (shape: string, make: () => string): string => {
      const known = texts.get(shape)
      if (known !== undefined) return known
      if (texts.size >= textsMax) texts.clear()
      const text = make()
      texts.set(shape, text)
      return text
    },
  }
}
