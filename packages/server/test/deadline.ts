/**
 * Every wait in tests ends after this. It only says that something hangs: what is waited for comes long before on a
 * quiet machine, and comes also on one with other work. Measurements of speed belong in bench/.
 */
export const deadlineMs = 60_000
