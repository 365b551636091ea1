import { Type } from 'typebox'
import { defineTask } from '../../tasks/define-task.ts'
import { readViewer } from '../visibility/visibility.ts'
import { linkDocument } from './documents.ts'
import { selectWaiting } from './queries.ts'

const hour = 60 * 60 * 1000
const atOnce = 100

/** What KOReader said of documents that were unknown, now that there are books known by the same digests. */
export const linkKoreader = defineTask(Type.Object({}), {
  type: 'link_koreader',
  priority: 120,
  endsWithinMs: hour,
  key: () => '',
  run: async (_, { db, write, clock, signal }) => {
    let linked = 0
    let after = { userId: '', document: '' }
    for (;;) {
      signal.throwIfAborted()
      const waiting = await selectWaiting(db.readSlowly, after, atOnce)
      for (const each of waiting) {
        const viewer = await readViewer(db.read, each.userId, false)
        const book = await linkDocument(
          { db, write, spineOf: async () => [] },
          { viewer, document: each.document, now: clock() },
        )
        linked += book ? 1 : 0
        after = each
      }
      if (waiting.length < atOnce) return { result: { linked }, items: linked }
    }
  },
})
