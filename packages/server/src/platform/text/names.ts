import { invalid } from '../errors.ts'

/** A name as it is kept: its characters composed, no space around it. Nothing but space is no name. */
export const cleanName = (name: string, path: string): string => {
  const clean = name.normalize('NFC').trim()
  if (clean === '') throw invalid(path, 'The name must hold more than spaces.', { reason: 'text_empty' })
  return clean
}
