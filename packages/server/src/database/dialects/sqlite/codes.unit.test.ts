import { expect, test } from 'vitest'
import { AppError } from '../../../platform/errors.ts'
import { sqliteDialect } from './sqlite-dialect.ts'

const saidOf = (code: string): unknown => {
  const explained = sqliteDialect.explain(Object.assign(new Error('disk I/O error'), { code }))
  return explained instanceof AppError && [explained.code, explained.retryAfterSeconds]
}

test('P-1 a write or a flush that the disk refuses is no fault of ours: it may be tried again', () => {
  for (const code of ['SQLITE_IOERR_WRITE', 'SQLITE_IOERR_FSYNC', 'SQLITE_IOERR_TRUNCATE', 'SQLITE_READONLY'])
    expect([code, saidOf(code)]).toEqual([code, ['unavailable', 5]])
})

test('B1 what cannot be read any more is damage, a full disk is one, and all else is a fault', () => {
  expect(saidOf('SQLITE_IOERR_READ')).toEqual(['unavailable', 60])
  expect(saidOf('SQLITE_FULL')).toEqual(['disk_full', undefined])
  expect(saidOf('SQLITE_CONSTRAINT_UNIQUE')).toBe(false)
})
