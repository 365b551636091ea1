import { type GroupingOverride, listGroupingOverrides, readLibrary, removeGroupingOverride } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange, useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useMay } from '../../session/me.ts'
import { useBookTitle } from '../../text/book-name.tsx'
import { useProblemText } from '../../text/problem-text.ts'
import { useTimeText } from '../../text/time-text.ts'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { toast } from '../../ui/state/toasts.tsx'
import { overridesInput } from './inputs.ts'
import styles from './moves.module.css'
import { readAgain, useTakeBack } from './use-afterwards.ts'
import { WayOut } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/libraries/$libraryId/by-hand')

/** What people have put into another series than the library alone would. */
export const ByHandPage = (): ReactNode => {
  const { t } = useTranslation('moves')
  const { libraryId } = route.useParams()
  const { page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { name } = useRead(readLibrary, { params: { id: libraryId } })
  const { data, total, totalPages } = useRead(listGroupingOverrides, overridesInput(libraryId, page))
  const go = (to: number): void => void navigate({ search: { page: to <= 1 ? undefined : to } })
  const putBack = usePutBack(libraryId)
  return (
    <Page
      title={t('byHand.title')}
      subtitle={
        <>
          <AppLink to={paths.library(libraryId)}>{name}</AppLink> · {t('byHand.text')}
        </>
      }
      width="narrow"
    >
      {total === 0 ? (
        <EmptyState
          icon="check"
          title={t('byHand.none')}
          text={t('byHand.noneText')}
          action={<WayOut to={paths.library(libraryId)} />}
        />
      ) : null}
      <RowList label={t('byHand.title')}>
        {data.map((override) => (
          <OverrideRow
            key={override.id}
            override={override}
            onPutBack={() => {
              putBack(override)
              // The last one of a page takes the page along.
              if (data.length === 1 && page > 1) go(page - 1)
            }}
          />
        ))}
      </RowList>
      <Pager label={t('byHand.title')} page={page} pages={totalPages} onGo={go} />
    </Page>
  )
}

interface OverrideRowProps {
  readonly override: GroupingOverride
  readonly onPutBack: () => void
}

const OverrideRow = ({ override, onPutBack }: OverrideRowProps): ReactNode => {
  const { t } = useTranslation('moves')
  const { moment } = useTimeText()
  const titleIn = useBookTitle()
  const { bookId, folder, seriesId, seriesTitle, otherwise, throughId, at, by } = override
  const name =
    bookId === null
      ? override.name
      : titleIn('series', { ...override, title: override.name, seriesName: seriesTitle }).text
  const who = by?.username ?? t('byHand.somebody')
  return (
    <ListRow
      icon={bookId === null ? 'folder' : 'book'}
      title={
        <span className={styles.name}>
          {bookId === null ? (folder ?? name) : <AppLink to={paths.book(bookId)}>{name}</AppLink>}
        </span>
      }
      text={
        <span className={styles.name}>
          {t(bookId === null ? 'byHand.newFilesIn' : 'byHand.in')}{' '}
          <AppLink to={paths.series(seriesId)}>
            <bdi>{seriesTitle}</bdi>
          </AppLink>
          {otherwise === null ? null : (
            <>
              {' · '}
              {t('byHand.otherwise')} <bdi>{otherwise.title}</bdi>
            </>
          )}
          <br />
          {t(throughId === null ? 'byHand.by' : 'byHand.through', { who, at: moment(at) })}
        </span>
      }
      actions={
        <Button variant="default" aria-label={t('byHand.putBackOf', { name })} onClick={onPutBack}>
          {t('byHand.putBack')}
        </Button>
      }
    />
  )
}

const usePutBack = (libraryId: string): ((override: GroupingOverride) => void) => {
  const { t } = useTranslation('moves')
  const textOf = useProblemText()
  const mayTakeBack = useMay('books:write')
  const takeBack = useTakeBack()
  const remove = useChange(removeGroupingOverride)
  const putBack = async ({ id, name }: GroupingOverride): Promise<void> => {
    const { historyId } = await remove.mutateAsync({ params: { id: libraryId, overrideId: id } })
    await readAgain()
    toast({
      text: t('byHand.isBack', { name }),
      ...(historyId !== null && mayTakeBack && { undo: () => takeBack(historyId) }),
    })
  }
  return (override) => void putBack(override).catch((error: unknown) => toast({ kind: 'problem', text: textOf(error) }))
}
