import {
  type Endpoint,
  listBookCovers,
  listBookMetadataHistory,
  listMetadataMatches,
  listSeriesCovers,
  listSeriesMetadataHistory,
  readBook,
  readBookMetadata,
  readBookMetadataSources,
  readSeries,
  readSeriesMetadata,
  readSeriesMetadataSources,
  unmatchBook,
  unmatchSeries,
} from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { etagOf, useChange } from '../api/queries.ts'
import { useProblem } from '../text/problem-text.ts'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { toast } from '../ui/state/toasts.tsx'

interface ById {
  readonly params: { readonly id: string }
}

interface Unmatchable {
  readonly remove: typeof unmatchSeries
  readonly read: Endpoint<ById>
  /** These reads are stale afterwards. */
  readonly old: readonly Endpoint[]
}

const unmatchable: Readonly<Record<'series' | 'book', Unmatchable>> = {
  series: {
    remove: unmatchSeries,
    read: readSeriesMetadata,
    old: [readSeries, readSeriesMetadata, readSeriesMetadataSources, listSeriesMetadataHistory, listSeriesCovers],
  },
  book: {
    remove: unmatchBook,
    read: readBookMetadata,
    old: [readBook, readBookMetadata, readBookMetadataSources, listBookMetadataHistory, listBookCovers],
  },
}

interface UnmatchProps {
  readonly kind: 'series' | 'book'
  readonly id: string
  /** Its name in `plugin:name`. */
  readonly plugin: string
  /** It is the name for users, where that is known. */
  readonly displayName?: string
  readonly onDone?: () => void
}

/** Everything a plugin has supplied for one entry is removed, and does not come back by itself: so it asks first. */
export const Unmatch = ({ kind, id, plugin, displayName = plugin, onDone }: UnmatchProps): ReactNode => {
  const { t } = useTranslation('metadata')
  const problemOf = useProblem()
  const [isConfirming, setIsConfirming] = useState(false)
  const { remove, read, old } = unmatchable[kind]
  // The mutation itself reports it: when no match is left, this component is gone by then.
  const say = (): void => {
    setIsConfirming(false)
    toast({ text: t('unmatch.done', { plugin: displayName }) })
    onDone?.()
  }
  const change = useChange(remove, { invalidates: [...old, listMetadataMatches], onDone: say })
  const takeBack = (): void =>
    change.mutate({ params: { id, pluginName: plugin }, ifMatch: etagOf(read, { params: { id } }) })
  return (
    <>
      <Button size="compact-sm" variant="default" onClick={() => setIsConfirming(true)}>
        {t('unmatch.action', { plugin: displayName })}
      </Button>
      <Confirm
        title={t('unmatch.title', { plugin: displayName })}
        isOpen={isConfirming}
        onClose={() => setIsConfirming(false)}
        action={t('unmatch.confirm')}
        isPending={change.isPending}
        problem={problemOf(change.error)}
        onConfirm={takeBack}
      >
        <p>{t('unmatch.text')}</p>
      </Confirm>
    </>
  )
}
