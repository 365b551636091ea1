/**
 * Ends this process. Node waits for all of its threads then, and one that waits for storage that hangs never comes to its
 * end: in that case another program takes the place of this one, which ends its threads, and ends at once.
 */
export const leave = (code: number): never => {
  if (isHeldUp()) process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {})
  return process.exit(code)
}

/** File operations that have not come back. */
export const isHeldUp = (): boolean => process.getActiveResourcesInfo().some((each) => each.startsWith('FSReq'))
