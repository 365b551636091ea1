import { createFeedKey, deleteFeedKey, readFeedKey } from '@carrel/api'
import { Button } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { basePath } from '../../api/base.ts'
import { useChange, useRead } from '../../api/queries.ts'
import { useProblem } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Confirm } from '../../ui/dialog/confirm.tsx'
import { Copyable } from '../../ui/form/copyable.tsx'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { Stack, Text } from '../../ui/layout/layout.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import styles from './account.module.css'

/** One's notifications as RSS, under an address that only its owner knows. */
export const FeedSection = (): ReactNode => {
  const { t } = useTranslation('account')
  const problemOf = useProblem()
  const { day } = useTimeText()
  const feed = useRead(readFeedKey, {})
  const [confirming, setConfirming] = useState<'another' | 'remove'>()
  const invalidates = [readFeedKey]
  const make = useChange(createFeedKey, { invalidates, onDone: () => setConfirming(undefined) })
  const remove = useChange(deleteFeedKey, {
    invalidates,
    onDone: () => {
      setConfirming(undefined)
      toast({ text: t('feed.removed') })
    },
  })
  const change = confirming === 'remove' ? remove : make
  return (
    <Section title={t('feed.title')} text={t('feed.text')}>
      {feed ? (
        <RowList label={t('feed.title')}>
          <ListRow
            icon="list"
            title={t('feed.on')}
            text={t('feed.since', { day: day(feed.createdAt) })}
            actions={
              <>
                <Button variant="default" size="compact-md" onClick={() => setConfirming('another')}>
                  {t('feed.another')}
                </Button>
                <Button variant="default" size="compact-md" onClick={() => setConfirming('remove')}>
                  {t('feed.remove')}
                </Button>
              </>
            }
          />
        </RowList>
      ) : (
        <div>
          <Button variant="default" loading={make.isPending} onClick={() => make.mutate({})}>
            {t('feed.make')}
          </Button>
        </div>
      )}
      <Confirm
        title={t(confirming === 'remove' ? 'feed.remove' : 'feed.another')}
        isOpen={confirming !== undefined}
        onClose={() => setConfirming(undefined)}
        action={t(confirming === 'remove' ? 'feed.remove' : 'feed.another')}
        onConfirm={() => change.mutate({})}
        isPending={change.isPending}
        problem={problemOf(change.error)}
      >
        <Text>{t('feed.ends')}</Text>
      </Confirm>
      <NewAddress path={make.data?.path} onClose={() => make.reset()} />
    </Section>
  )
}

interface NewAddressProps {
  readonly path: string | undefined
  readonly onClose: () => void
}

const NewAddress = ({ path, onClose }: NewAddressProps): ReactNode => {
  const { t } = useTranslation('account')
  return (
    <Dialog title={t('feed.address')} isOpen={path !== undefined} onClose={onClose}>
      <Stack gap={4} className={styles.made}>
        <p>{t('feed.once')}</p>
        <Copyable label={t('feed.address')} text={location.origin + basePath + (path ?? '')} />
        <div>
          <Button onClick={onClose}>{t('feed.done')}</Button>
        </div>
      </Stack>
    </Dialog>
  )
}
