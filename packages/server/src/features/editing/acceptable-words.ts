import { bookLockable, BookMetadataPatch, lockOf, seriesLockable, SeriesMetadataPatch } from '@carrel/api'
import { Check } from 'typebox/value'
import type { Entity } from '../../catalogue/metadata/metadata.ts'
import { AppError } from '../../platform/errors.ts'
import { cleanPatch } from './clean-patch.ts'

interface Acceptable {
  /** Values and locks, as a patch has them. */
  readonly patch: Readonly<Record<string, unknown>>
  /** Fields whose values cannot be kept here. */
  readonly refused: readonly string[]
}

/** What somebody has said elsewhere, field by field, as far as it could have been said here; each is locked where it can be. */
export const acceptableWords = (entity: Entity, values: Readonly<Record<string, unknown>>): Acceptable => {
  const patch: Record<string, unknown> = {}
  const refused: string[] = []
  const lockable: readonly string[] = entity === 'series' ? seriesLockable : bookLockable
  for (const [field, value] of Object.entries(values)) {
    const clean = cleanWord(entity, field, value)
    if (clean === undefined) {
      refused.push(field)
      continue
    }
    Object.assign(patch, clean)
    if (lockable.includes(field)) patch[lockOf(field)] = true
  }
  return { patch, refused }
}

const cleanWord = (entity: Entity, field: string, value: unknown): object | undefined => {
  const change = { [field]: value }
  if (!Check(entity === 'series' ? SeriesMetadataPatch : BookMetadataPatch, change)) return undefined
  try {
    return cleanPatch(change)
  } catch (error) {
    if (error instanceof AppError) return undefined
    throw error
  }
}
