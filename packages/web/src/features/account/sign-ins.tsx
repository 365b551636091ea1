import { listOwnSignInActivity } from '@carrel/api'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useLater } from '../../api/queries.ts'
import { useProblemText } from '../../text/problem-text.ts'
import { SignInRow, signInsOnPage } from '../../session/sign-in-row.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { Pager } from '../../ui/pager.tsx'
import { RowList } from '../../ui/row-list.tsx'
import { ErrorState } from '../../ui/state/state.tsx'

/** The list shows where the user has signed in recently, and where somebody else has tried to. */
export const SignIns = (): ReactNode => {
  const { t } = useTranslation('account')
  const textOf = useProblemText()
  const [page, setPage] = useState(1)
  const { data, error } = useLater(
    listOwnSignInActivity,
    { query: { page, pageSize: signInsOnPage } },
    { keepPrevious: true, isNeverTold: true },
  )
  if (error) return <ErrorState title={t('signIns.title')} text={textOf(error)} />
  if (data === undefined) return null
  return (
    <Section title={t('signIns.title')} text={t('signIns.text')}>
      <RowList label={t('signIns.title')}>
        {data.data.map((activity) => (
          <SignInRow key={activity.id} activity={activity} />
        ))}
      </RowList>
      <Pager label={t('signIns.pages')} page={page} pages={Math.ceil(data.total / signInsOnPage)} onGo={setPage} />
    </Section>
  )
}
