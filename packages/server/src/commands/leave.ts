/**
 * It ends this process. Node waits for all of its threads, and a thread that waits for storage that hangs never ends:
 * in that case another program replaces this one, which ends its threads, and exits at once.
 */
export const leave = (code: number): never => {
  if (isHeldUp()) process.execve?.(process.execPath, [process.execPath, '-e', `process.exit(${code})`], {})
  return process.exit(code)
}

/** File operations that have not come back. */
export const isHeldUp = (): boolean => process.getActiveResourcesInfo().some((each) => each.startsWith('FSReq'))
