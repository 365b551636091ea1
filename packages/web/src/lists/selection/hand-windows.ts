import { type ComponentType, lazy } from 'react'
import { loadStrings } from '../../text/language.ts'
import type { BooksWindowProps, SeriesWindowProps } from './hand.ts'

const windowOf = <Props>(load: () => Promise<ComponentType<Props>>) =>
  lazy(async () => {
    const [component] = await Promise.all([load(), loadStrings(['moves', 'lists'])])
    return { default: component }
  })

/** Windows in which people put books where they belong, for those who may write series; loaded when one is opened. */
export const MoveWindow = windowOf<BooksWindowProps>(
  async () => (await import('../../features/moves/move-window.tsx')).MoveWindow,
)
export const SplitWindow = windowOf<BooksWindowProps>(
  async () => (await import('../../features/moves/split-window.tsx')).SplitWindow,
)
export const MergeWindow = windowOf<SeriesWindowProps>(
  async () => (await import('../../features/moves/merge-window.tsx')).MergeWindow,
)
