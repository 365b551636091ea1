import { type BookErrorKind, countBookErrors } from '@carrel/api'
import { Button } from '@mantine/core'
import { getRouteApi } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { AppLink } from '../../navigation/link.tsx'
import { paths } from '../../navigation/paths.ts'
import { Page } from '../../ui/layout/page.tsx'
import { ListRow, RowList } from '../../ui/row-list.tsx'
import { EmptyState } from '../../ui/state/state.tsx'
import { OneKind } from './one-kind.tsx'
import { useRetry } from './use-retry.ts'
import { ToAdministration } from '../../navigation/way-out.tsx'

const route = getRouteApi('/signed-in/framed/administered/admin/book-errors')

/** Books that cannot be read, by what is wrong with them, with what one can do about it. */
export const BookErrorsPage = (): ReactNode => {
  const { t } = useTranslation('book-errors')
  const { code, page = 1 } = route.useSearch()
  const navigate = route.useNavigate()
  const { kinds } = useRead(countBookErrors, {})
  const sum = kinds.reduce((all, { count }) => all + count, 0)
  if (code !== undefined) {
    const count = kinds.find((kind) => kind.code === code)?.count ?? 0
    const go = (to: number): void => void navigate({ search: { code, page: to === 1 ? undefined : to } })
    return <OneKind code={code} count={count} page={page} onGo={go} />
  }
  return (
    <Page title={t('title')} subtitle={sum === 0 ? t('text') : t('sum', { count: sum })}>
      {kinds.length === 0 ? (
        <EmptyState icon="check" title={t('none')} text={t('noneText')} action={<ToAdministration />} />
      ) : (
        <RowList label={t('kinds')}>
          {kinds.map((kind) => (
            <KindRow key={kind.code} {...kind} />
          ))}
        </RowList>
      )}
    </Page>
  )
}

const KindRow = ({ code, count }: BookErrorKind): ReactNode => {
  const { t } = useTranslation('book-errors')
  const { retryAll, isBusy } = useRetry()
  return (
    <ListRow
      icon="warning"
      title={
        <AppLink to={paths.adminBookErrors({ code })}>
          {t(`code.${code}.name`)} · {t('books', { count })}
        </AppLink>
      }
      text={t(`code.${code}.todo`)}
      actions={
        <>
          <Button component={AppLink} to={paths.adminBookErrors({ code })} variant="default">
            {t('show')}
          </Button>
          <Button variant="default" loading={isBusy} onClick={() => retryAll(code)}>
            {t('retryAll')}
          </Button>
        </>
      }
    />
  )
}
