import type { ReaderLevel, ReaderSettings } from '@carrel/api'
import { useState } from 'react'
import type { ReaderSettingsInUse } from './use-reader-settings.ts'

/** What belongs to the book and not to the screen: unless somebody says otherwise it holds for the series. */
const ofSeries: ReadonlySet<keyof ReaderSettings> = new Set(['direction', 'coverAlone', 'widePages'])

/** In the order they are offered. */
export const scopes = ['series', 'library', 'user', 'device'] as const satisfies readonly ReaderLevel[]

/** For what the sheet changes things, and how it changes them. */
export const useScope = (settings: ReaderSettingsInUse, start: ReaderLevel) => {
  const [scope, setScope] = useState<ReaderLevel>(start)
  const choose = (change: ReaderSettings): void => {
    const names = Object.keys(change) as (keyof ReaderSettings)[]
    const hasSeries = settings.levels.some(({ level }) => level === 'series')
    const isOfSeries = hasSeries && scope === 'device' && names.every((name) => ofSeries.has(name))
    settings.choose(isOfSeries ? 'series' : scope, change)
  }
  return { scope, setScope, choose, own: settings.levels.find(({ level }) => level === scope)?.values ?? {} }
}

export type Scope = ReturnType<typeof useScope>
