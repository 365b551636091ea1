const minute = 60_000
const hour = 60 * minute

const timeSteps = [1, 2, 5, 10, 15, 30].map((each) => each * minute)
const hourSteps = [1, 2, 3, 6, 12, 24, 48, 120, 240, 600, 1200, 2400, 6000, 12_000, 24_000].map((each) => each * hour)

const round = (power: number): number[] => [1, 2, 5].map((each) => each * 10 ** power)
const countSteps = Array.from({ length: 12 }, (_, power) => round(power)).flat()

const linesAtMost = 4

/**
 * It returns where lines are drawn, from the lowest; the last is the top of the picture. There is at least one, and the
 * last is never below the largest value.
 */
export const ticksFor = (largest: number, kind: 'time' | 'count'): number[] => {
  const steps = kind === 'time' ? [...timeSteps, ...hourSteps] : countSteps
  const step = steps.find((each) => each * linesAtMost >= largest) ?? largest / linesAtMost
  return Array.from({ length: Math.max(1, Math.ceil(largest / step)) }, (_, index) => (index + 1) * step)
}
