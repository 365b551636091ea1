import { AppError } from '../../platform/errors.ts'

const totalMax = 512 * 1024 * 1024
const waitingMax = 1000

/** It lets callers read at once only as much as fits into memory; a piece larger than the whole budget runs alone. */
export const byteBudget = (bytesMax = totalMax) => {
  let used = 0
  const waiting: { readonly bytes: number; readonly admit: () => void }[] = []

  const fits = (bytes: number): boolean => used === 0 || used + bytes <= bytesMax
  const admitNext = (): void => {
    for (let next = waiting[0]; next && fits(next.bytes); next = waiting[0]) {
      waiting.shift()
      used += next.bytes
      next.admit()
    }
  }

  return async <Result>(bytes: number, work: () => Promise<Result>): Promise<Result> => {
    if (waiting.length === 0 && fits(bytes)) used += bytes
    else {
      if (waiting.length >= waitingMax)
        throw new AppError('unavailable', 'Too many pages are being read. Try again in a moment.', {
          retryAfterSeconds: 1,
        })
      await new Promise<void>((resolve) => waiting.push({ bytes, admit: resolve }))
    }
    try {
      return await work()
    } finally {
      used -= bytes
      admitNext()
    }
  }
}
