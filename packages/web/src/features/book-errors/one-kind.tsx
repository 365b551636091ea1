import { type BookError, listBookErrors } from '@carrel/api'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useItemName } from '../../text/book-name.tsx'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { useTimeText } from '../../text/time-text.ts'
import { ServerWords } from '../../ui/state/server-words.tsx'
import { Mark } from '../../ui/state/mark.tsx'
import { Page } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { errorQuery } from './error-query.ts'
import styles from './one-kind.module.css'
import { useRetry } from './use-retry.ts'
import { ToAdministration } from '../../navigation/way-out.tsx'

interface OneKindProps {
  readonly code: BookError['code']
  readonly count: number
  readonly page: number
  readonly onGo: (page: number) => void
}

export const OneKind = ({ code, count, page, onGo }: OneKindProps): ReactNode => {
  const { t } = useTranslation('book-errors')
  const { data } = useLater(listBookErrors, { query: errorQuery(code, page) }, { keepPrevious: true })
  const { retryAll, isBusy } = useRetry()
  const title = t(`code.${code}.name`)
  return (
    <Page
      title={title}
      subtitle={t('books', { count })}
      actions={
        <>
          <Button component={AppLink} to={paths.adminBookErrors()} variant="default">
            {t('allKinds')}
          </Button>
          <Button disabled={count === 0} loading={isBusy} onClick={() => retryAll(code)}>
            {t('retryAll')}
          </Button>
        </>
      }
    >
      <p className={styles.todo}>{t(`code.${code}.todo`)}</p>
      {data?.total === 0 ? (
        <EmptyState icon="check" title={t('noneOfKind')} text={t('noneText')} action={<ToAdministration />} />
      ) : null}
      <RowList label={title}>
        {data?.data.map((error) => (
          <ErrorRow key={error.bookId} error={error} />
        ))}
      </RowList>
      <Pager label={title} page={page} pages={data?.totalPages ?? 1} onGo={onGo} />
    </Page>
  )
}

const ErrorRow = ({ error }: { readonly error: BookError }): ReactNode => {
  const { t } = useTranslation('book-errors')
  const { ago } = useTimeText()
  const { retryOne, isBusy } = useRetry()
  const nameOf = useItemName()
  const { bookId, code, path, kind, message, isQuarantined, at } = error
  return (
    <ListRow
      icon="book"
      title={<AppLink to={paths.book(bookId)}>{nameOf(error)}</AppLink>}
      mark={
        <>
          {kind === 'thumbnail' ? <Mark kind="plain">{t('onlyCover')}</Mark> : null}
          {isQuarantined ? <Mark kind="warning">{t('quarantined')}</Mark> : null}
        </>
      }
      text={
        <>
          {path === undefined ? null : <span className={styles.path}>{path}</span>}
          <span className={styles.message}>
            {t(`code.${code}.name`)} · {ago(at)}
          </span>
        </>
      }
      actions={
        <Button variant="default" size="compact-md" loading={isBusy} onClick={() => retryOne(bookId)}>
          {t('retry')}
        </Button>
      }
    >
      <ServerWords text={message} />
    </ListRow>
  )
}
