import { Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from './api/call.ts'
import { AppLink } from './link.tsx'
import { paths } from './paths.ts'
import { useProblemText } from './problem-text.ts'
import { Page } from './ui/page.tsx'
import { EmptyState, ErrorState } from './ui/state.tsx'

/** In place of a page whose reads came to nothing, or whose code failed. */
export const PageFailed = ({ error, reset }: ErrorComponentProps): ReactNode => {
  const { t } = useTranslation()
  const textOf = useProblemText()
  const router = useRouter()
  if (error instanceof ApiProblem && error.code === 'not_found') return <PageMissing />
  if (error instanceof ApiProblem && error.code === 'not_allowed') return <PageRefused />
  const tryAgain = (): void => {
    reset()
    void router.invalidate()
  }
  return (
    <ErrorState
      title={t('page.failed')}
      text={textOf(error)}
      action={<Button onClick={tryAgain}>{t('tryAgain')}</Button>}
    />
  )
}

export const PageMissing = (): ReactNode => {
  const { t } = useTranslation()
  return (
    <EmptyState
      icon="search"
      title={t('page.notFound')}
      text={t('page.notFoundText')}
      action={
        <Button component={AppLink} to={paths.home()}>
          {t('page.toHome')}
        </Button>
      }
    />
  )
}

/** In place of a page that is for others: what to do about it, and the way back. */
export const PageRefused = (): ReactNode => {
  const { t } = useTranslation()
  return (
    <Page title={t('page.refused')}>
      <EmptyState
        icon="lock"
        title={t('page.refusedTitle')}
        text={t('page.refusedText')}
        action={
          <Button component={AppLink} to={paths.home()}>
            {t('page.toHome')}
          </Button>
        }
      />
    </Page>
  )
}
