/** The screen shows whole percents. */
export const percentText = (part: number): number => Math.floor(part * 100 + 1e-6)
