/** It allows a burst, and then a rate per millisecond. */
export const leakyBucket = (sizeMax: number, perMs: number): ((amount: number) => boolean) => {
  let filled = 0
  let at = performance.now()
  return (amount) => {
    const now = performance.now()
    filled = Math.max(0, filled - (now - at) * perMs) + amount
    at = now
    return filled <= sizeMax
  }
}
