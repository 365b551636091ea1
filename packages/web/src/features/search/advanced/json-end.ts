/** It finds where a text stops being JSON, counted from its beginning: engines report that differently. */
export const whereJsonEnds = (text: string): number => {
  const open: string[] = []
  let position = 0
  let expected: ExpectedToken = 'value'
  for (;;) {
    position += /^\s*/.exec(text.slice(position))?.[0].length ?? 0
    const token = tokenAt(text, position)
    if (token === undefined || !fits(token, expected, open.at(-1))) return position
    expected = afterToken(token, expected, open)
    position += token.length
  }
}

type ExpectedToken = 'value' | 'key' | 'colon' | 'after'

const tokenAt = (text: string, position: number): string | undefined => {
  const pattern = /[[\]{},:]|"(?:[^"\\\n]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y
  pattern.lastIndex = position
  return pattern.exec(text)?.[0]
}

const fits = (token: string, expected: ExpectedToken, open: string | undefined): boolean => {
  switch (expected) {
    case 'value':
      return !/^[}:,]/.test(token) && (token !== ']' || open === '[')
    case 'key':
      return token.startsWith('"') || token === '}'
    case 'colon':
      return token === ':'
    case 'after':
      return open === '{' ? token === ',' || token === '}' : open === '[' && (token === ',' || token === ']')
  }
}

const afterToken = (token: string, expected: ExpectedToken, open: string[]): ExpectedToken => {
  if (token === '{' || token === '[') {
    open.push(token)
    return token === '{' ? 'key' : 'value'
  }
  if (token === '}' || token === ']') {
    open.pop()
    return 'after'
  }
  if (token === ',') return open.at(-1) === '{' ? 'key' : 'value'
  if (token === ':') return 'value'
  return expected === 'key' ? 'colon' : 'after'
}
