/** Whether schedules can go by it. */
export const isTimeZone = (name: string): boolean => {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).format() !== ''
  } catch {
    return false
  }
}

/** The time zone of this machine; undefined where `TZ` is empty or names none. It costs 10 ms to find out. */
export const machineTimeZone = (): string | undefined => {
  // What it says of a wrong name depends on the name: "Etc/Unknown", or nothing at all.
  const { timeZone: name }: { timeZone?: string } = Intl.DateTimeFormat().resolvedOptions()
  return name !== undefined && isTimeZone(name) ? name : undefined
}
