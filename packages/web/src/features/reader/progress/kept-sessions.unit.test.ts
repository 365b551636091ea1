import type { ReadingSession } from '@carrel/api'
import { expect, test, vi } from 'vitest'
import { drawerInMemory } from '../../../reader/unsent.ts'

const session: ReadingSession = {
  id: 'one',
  bookId: 'book',
  kind: 'progress',
  clientStartedAt: '2026-11-21T20:00:00.000Z',
  clientEndedAt: '2026-11-21T20:01:00.000Z',
}

test('what a browser refuses to keep is sent all the same, once', async () => {
  const refusing = {
    ...drawerInMemory(),
    setItem: () => {
      throw new Error('QuotaExceededError')
    },
  }
  vi.stubGlobal('localStorage', refusing)
  const { forgetSessions, keepSession, waitingSessions } = await import('./kept-sessions.ts')
  keepSession('ana', { session, isOpen: false, keptAt: Date.now() })
  expect(waitingSessions('ana')).toEqual([session])
  expect(waitingSessions('ben')).toEqual([])
  forgetSessions('ana', ['one'])
  expect(waitingSessions('ana')).toEqual([])
})
