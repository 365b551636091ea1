import { listLibraries, readScanStatus } from '@carrel/api'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { isDeletedHere, query, useLater } from '../../../api/queries.ts'
import { useSomethingRuns } from '../../../frame/running-tasks.ts'
import { stepOf } from '../../../scans/scan-steps.ts'
import { useMay } from '../../../session/me.ts'

export interface Filling {
  readonly done: number
  /** Undefined while nobody knows how much there is. */
  readonly total: number | undefined
  readonly msLeft: number | undefined
}

/** More libraries are not read in at a time by anybody who looks at this. */
const librariesMax = 20

/** How far the libraries are read in; undefined when none is. */
export const useFilling = (): Filling | undefined => {
  const mayAsk = useMay('libraries:read')
  const runs = useSomethingRuns()
  const { data, isStale } = useLater(listLibraries, {}, { enabled: mayAsk && runs })
  const shownLibraries = runs ? (data?.data.slice(0, librariesMax) ?? []) : []
  const libraries = shownLibraries.filter(({ id }) => !isDeletedHere(id))
  const scans = useQueries({
    queries: libraries.map(({ id }) => ({
      ...query(readScanStatus, { params: { id } }),
      // One of a list that is about to be read again may be gone: the task that forgets a library runs too.
      enabled: !isStale,
    })),
  })
  const steps = libraries.flatMap(({ bookCount }, index) => stepOf(scans[index]?.data?.body, bookCount) ?? [])
  const isKnown = steps.length > 0 && steps.every(({ name }) => name === 'reading')
  const done = steps.reduce((sum, step) => sum + step.done, 0)
  const total = isKnown ? steps.reduce((sum, step) => sum + (step.total ?? 0), 0) : undefined
  const at = Math.max(0, ...scans.map(({ dataUpdatedAt }) => dataUpdatedAt))
  const msLeft = useMsLeft(total === undefined ? undefined : { done, total, at })
  return steps.length === 0 ? undefined : { done, total, msLeft }
}

interface Sample {
  readonly done: number
  readonly total: number
  readonly at: number
}

/** Below this share the work done says too little about the work that is left. */
const shareMin = 0.03

/** It goes by what was done since the page is there. */
const useMsLeft = (sample: Sample | undefined): number | undefined => {
  const [first, setFirst] = useState<Sample>()
  const [now, setNow] = useState<Sample>()
  if (sample !== undefined && (now?.done !== sample.done || now.total !== sample.total)) {
    setNow(sample)
    // Less than before, or of another number: it is another piece of work.
    if (first === undefined || first.done > sample.done || first.total !== sample.total) setFirst(sample)
  }
  if (sample === undefined || !first || !now || now.total !== first.total) return undefined
  const doneSince = now.done - first.done
  if (doneSince <= 0 || doneSince / now.total < shareMin) return undefined
  return ((now.at - first.at) / doneSince) * (now.total - now.done)
}
