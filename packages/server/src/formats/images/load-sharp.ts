/**
 * It is loaded only in decoders, and only when a picture is to be made: reading books takes a quarter less memory
 * without it.
 */
export const loadSharp = async () => {
  const { default: sharp } = await import('sharp')
  sharp.concurrency(1)
  sharp.cache(false)
  return sharp
}
