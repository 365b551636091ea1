import type { AppError } from '../platform/errors.ts'
import type { Texts } from './texts.ts'

/**
 * It says an error in the language of the user. Errors are made in English, which says more than a code; so where it
 * matters what exactly is not right, that stands behind it.
 */
export const sentenceOf = (error: AppError, { language, say }: Texts, requestId: string): string => {
  const { code, reason, values, message } = error
  if (language === 'en' || code === 'rate_limit_exceeded') return message
  if (reason === 'permission_missing') return say(`problem.${reason}`, values)
  const sentence = say(`problem.${code}`, { requestId })
  return code === 'validation_failed' || code === 'conflict' ? `${sentence} (${message})` : sentence
}
