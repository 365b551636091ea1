import { Button } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiProblem } from '../../../api/call.ts'
import { connectionBack } from '../../../api/connection.ts'
import { Icon } from '../../../ui/icon.tsx'
import { useProblemText } from '../../../text/problem-text.ts'
import { Center } from '../../../ui/layout/layout.tsx'
import type { PagePart } from './spread-content.ts'
import { askWhatIsWrong } from './what-is-wrong.ts'
import styles from './page-picture.module.css'

interface PagePictureProps {
  readonly page: number
  readonly src: string
  readonly part?: PagePart | undefined
  /** The same picture in small, shown until the other has come. */
  readonly small?: string | undefined
  readonly onSize?: (page: number, width: number, height: number) => void
  /** The server could not be asked for it; or it is here after all. */
  readonly onReached?: (page: number, isReached: boolean) => void
}

/** A page that fails each time the server is back is not a matter of the connection. */
const triesMax = 5

/** One page. Until it is here, and if it never comes, its frame says which it is. */
export const PagePicture = ({ page, src, small, part, onSize, onReached }: PagePictureProps): ReactNode => {
  const { t } = useTranslation('reader')
  const [tries, setTries] = useState(0)
  const [state, setState] = useState<'coming' | 'here' | { readonly problem: unknown }>('coming')
  const explain = async (): Promise<void> => {
    const problem = await askWhatIsWrong(src)
    onReached?.(page, !isCutOff(problem))
    setState({ problem })
  }
  const again = (): void => {
    setState('coming')
    setTries((before) => before + 1)
  }
  useWhenBack(typeof state === 'object' && isCutOff(state.problem) && tries < triesMax, again)
  if (typeof state === 'object') return <MissingPage page={page} problem={state.problem} onTryAgain={again} />
  return (
    <div className={styles.place} data-state={state} data-page={page}>
      {state === 'here' ? null : small === undefined || part === 'turned' ? (
        <Center as="span" className={styles.number}>
          {page}
        </Center>
      ) : (
        <img className={styles.small} data-part={part} src={small} alt="" draggable={false} />
      )}
      <img
        key={tries}
        className={styles.picture}
        data-part={part}
        src={src}
        alt={t('pageAlt', { page })}
        decoding="sync"
        draggable={false}
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          setState('here')
          onReached?.(page, true)
          onSize?.(page, naturalWidth, naturalHeight)
        }}
        onError={() => void explain()}
      />
    </div>
  )
}

const isCutOff = (problem: unknown): boolean => problem instanceof ApiProblem && problem.code === 'no_connection'

/** What could not be asked for is asked for again when the server is back. */
const useWhenBack = (isWaiting: boolean, again: () => void): void => {
  useEffect(() => {
    if (!isWaiting) return undefined
    const stop = new AbortController()
    const wait = async (): Promise<void> => {
      await connectionBack()
      if (!stop.signal.aborted) again()
    }
    void wait()
    return () => stop.abort()
    // oxlint-disable-next-line react/exhaustive-deps
  }, [isWaiting])
}

interface MissingPageProps {
  readonly page: number
  readonly problem: unknown
  readonly onTryAgain: () => void
}

/** It takes the place of a page that cannot be shown: it says why, and that the user can go on. */
const MissingPage = ({ page, problem, onTryAgain }: MissingPageProps): ReactNode => {
  const { t } = useTranslation(['reader', 'common'])
  const textOf = useProblemText()
  return (
    <div className={styles.missing} role="alert" data-page={page}>
      <Icon name="warning" size="large" />
      <p className={styles.title}>{t('pageMissing', { page })}</p>
      <p className={styles.text}>{textOf(problem)}</p>
      <p className={styles.text}>{t('pageMissingGoOn')}</p>
      <Button variant="default" onClick={onTryAgain} data-no-tap>
        {t('common:tryAgain')}
      </Button>
    </div>
  )
}
