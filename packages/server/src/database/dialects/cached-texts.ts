const textsMax = 500

/** Texts of statements that are made once: making one takes longer than running it. */
export const cachedTexts = () => {
  const texts = new Map<string, string>()
  return {
    textOf: (shape: string, make: () => string): string => {
      const cached = texts.get(shape)
      if (cached !== undefined) return cached
      if (texts.size >= textsMax) texts.clear()
      const text = make()
      texts.set(shape, text)
      return text
    },
  }
}
