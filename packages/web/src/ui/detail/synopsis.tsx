import { type ReactNode, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Text } from '../layout/layout.tsx'
import styles from './synopsis.module.css'

/** Three lines of a synopsis, the last of them ending with the way to the rest if there is more. */
export const Synopsis = ({ text }: { readonly text: string }): ReactNode => <CutText key={text} text={text} />

/** Another text is measured anew. */
const CutText = ({ text }: { readonly text: string }): ReactNode => {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const [isLong, setLong] = useState(true)
  const element = useRef<HTMLParagraphElement>(null)
  useLayoutEffect(() => {
    const target = element.current
    if (!target || isOpen) return undefined
    const measure = (): void => setLong(target.scrollHeight > target.clientHeight + 1)
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(target)
    return () => observer.disconnect()
  }, [isOpen])
  return (
    <Text ref={element} className={styles.text} data-is-cut={!isOpen} dir="auto">
      {isLong ? (
        <button
          type="button"
          className={styles.more}
          aria-label={t(isOpen ? 'showLess' : 'showMore')}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {isOpen ? t('showLess') : t('more')}
        </button>
      ) : null}
      {text}
    </Text>
  )
}
