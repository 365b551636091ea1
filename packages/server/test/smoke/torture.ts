/** `npm run torture` does what is done a few times here as often as it takes to believe it. */
const isTorture = process.env.CARREL_TORTURE !== undefined

export const times = (usually: number, inTorture: number): number => (isTorture ? inTorture : usually)

/** The figure is printed and never asserted: how long something takes depends on the machine. */
export const figure = (what: string, milliseconds: number): void => {
  console.log(`  figure: ${what}: ${Math.round(milliseconds)} ms`)
}

/** It measures how long a wait lasted. */
export const timed = async <Result>(what: string, wait: Promise<Result>): Promise<Result> => {
  const startedAt = performance.now()
  const result = await wait
  figure(what, performance.now() - startedAt)
  return result
}
