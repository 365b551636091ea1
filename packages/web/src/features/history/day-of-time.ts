/** `2026-11-22`: of a time, the day it is where the browser is. */
export const dayOfTime = (time: string): string => {
  const at = new Date(time)
  const pad = (part: number): string => String(part).padStart(2, '0')
  return `${String(at.getFullYear()).padStart(4, '0')}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
}

/** The time that is meant by a day: the one it was, if the day is the same, else its noon, but nothing that is to come. */
export const timeOfDay = (day: string, before: string | undefined, now: Date): string => {
  if (before !== undefined && dayOfTime(before) === day) return before
  const noon = new Date(`${day}T12:00:00`)
  return (noon > now && dayOfTime(now.toISOString()) === day ? now : noon).toISOString()
}
