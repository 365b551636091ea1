export const isTimeZone = (name: string): boolean => {
  try {
    Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/**
 * Undefined where TZ is empty, names a file, or is no zone that there is: the clocks of Node then go by UTC or by some offset, but schedules
 * need a name. It costs 10 ms to find out.
 */
export const readMachineTimeZone = (): string | undefined => {
  // The types say that there always is one.
  const name: string | undefined = Intl.DateTimeFormat().resolvedOptions().timeZone
  return name !== undefined && isTimeZone(name) ? name : undefined
}
