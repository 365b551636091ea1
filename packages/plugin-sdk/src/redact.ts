const secretWords = /credential|secret|token|password|key/i

/** A copy for a log in which nothing stands under a name that sounds like a secret. Credentials are kept out of logs anyway. */
export const redact = (value: unknown, name = ''): unknown => {
  const isSecret = secretWords.test(name)
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, isSecret ? '[redacted]' : redact(inner, key)]),
    )
  }
  return isSecret && value !== undefined ? '[redacted]' : value
}
