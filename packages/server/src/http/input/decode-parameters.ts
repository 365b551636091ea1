import type { TSchema } from 'typebox'
import { AppError } from '../../platform/errors.ts'
import { numberIn, truthIn, wholeIn } from '../../platform/text/spelled-values.ts'

/**
 * Parameters arrive as text. What the contract says is a number or a truth value becomes one if it is spelled as one;
 * everything else stays text, for the validation to judge.
 */
export const decodeParameters = (
  schema: TSchema,
  given: Readonly<Record<string, unknown>>,
): Record<string, unknown> => {
  const { properties = {} } = schema as { properties?: Record<string, { type?: unknown }> }
  const decoded: Record<string, unknown> = {}
  for (const name of Object.keys(properties)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined
    if (value === undefined) continue
    if (typeof value === 'string') requireClean(name, value)
    decoded[name] = typeof value === 'string' ? decode(value, properties[name]?.type) : value
  }
  return decoded
}

const decode = (text: string, type: unknown): unknown => {
  if (type === 'integer') return wholeIn(text) ?? text
  if (type === 'number') return numberIn(text) ?? text
  return type === 'boolean' ? (truthIn(text) ?? text) : text
}

/** Neither database keeps these, so no name can hold them. */
export const isClean = (text: string): boolean => !text.includes('\0') && text.isWellFormed()

const requireClean = (name: string, value: string): void => {
  if (isClean(value)) return
  const message = 'must not hold a null character or half a character'
  throw new AppError('validation_failed', `${name} ${message}.`, {
    details: [{ path: name, message }],
    reason: 'characters_wrong',
  })
}
