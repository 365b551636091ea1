/**
 * It is the doctor's result about one thing. A warning is no reason to stop; a failure keeps the server from its work.
 */
export interface Finding {
  /** The same in every version, for programs. */
  readonly check: string
  readonly status: 'ok' | 'warning' | 'failed'
  readonly message: string
  /** It tells the operator what to do. */
  readonly advice?: string
}

export const ok = (check: string, message: string): Finding => ({ check, status: 'ok', message })

export const warning = (check: string, message: string, advice: string): Finding => ({
  check,
  status: 'warning',
  message,
  advice,
})

export const failed = (check: string, message: string, advice: string): Finding => ({
  check,
  status: 'failed',
  message,
  advice,
})

const mebibyte = 1024 * 1024

export const formatBytes = (bytes: number): string =>
  bytes < 1024 * mebibyte ? `${Math.floor(bytes / mebibyte)} MiB` : `${(bytes / mebibyte / 1024).toFixed(1)} GiB`
