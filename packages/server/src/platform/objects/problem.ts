import type { StoreAway } from './store.ts'

/** What an operator is told of a store that is away. Neither says where it is, or what its keys are. */
export interface StoreProblem {
  readonly message: string
  readonly advice: string
}

export const problemOfStore = ({ cause }: StoreAway): StoreProblem => {
  if (!(cause instanceof Error)) return { message: 'no answer', advice: whereAdvice }
  if (cause.name === 'TimeoutError') return { message: 'no answer in time', advice: whereAdvice }
  if ('status' in cause)
    return { message: cause.message, advice: adviceOf(String('code' in cause ? cause.code : ''), Number(cause.status)) }
  const { cause: reason } = cause as { readonly cause?: { readonly code?: unknown } }
  return { message: typeof reason?.code === 'string' ? reason.code : cause.message, advice: whereAdvice }
}

const whereAdvice = 'See whether CARREL_OBJECT_STORE_URL is right, and whether this machine reaches it.'

const adviceOf = (code: string, status: number): string => {
  if (/^(InvalidAccessKeyId|SignatureDoesNotMatch)$/.test(code))
    return 'CARREL_OBJECT_STORE_ACCESS_KEY or CARREL_OBJECT_STORE_SECRET_KEY is wrong.'
  if (code === 'NoSuchBucket')
    return 'Make the bucket, or correct CARREL_OBJECT_STORE_URL: the first part of its path is the bucket.'
  if (code === 'RequestTimeTooSkewed') return 'The clock of this machine is wrong.'
  if (/^(PermanentRedirect|AuthorizationHeaderMalformed)$/.test(code) || (status >= 300 && status < 400))
    return 'See whether CARREL_OBJECT_STORE_REGION and CARREL_OBJECT_STORE_BUCKET_IN are right.'
  if (status === 401 || status === 403)
    return 'The key must be allowed to list the bucket, and to read, write and remove objects in it.'
  return status >= 500 ? 'See to the store itself.' : whereAdvice
}
