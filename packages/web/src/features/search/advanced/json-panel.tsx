import type { ConditionTarget } from '@carrel/api'
import { Button, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Stack } from '../../../ui/layout/layout.tsx'
import { toast } from '../../../ui/state/toasts.tsx'
import { type Group, groupFrom, treeOf } from './builder.ts'
import { conditionFromJson, type JsonFault } from './condition-json.ts'
import styles from './json-panel.module.css'

interface JsonPanelProps {
  readonly target: ConditionTarget
  readonly root: Group
  readonly onChange: (root: Group) => void
}

/** The same condition as the API takes it: to copy, and to paste into. */
export const JsonPanel = ({ target, root, onChange }: JsonPanelProps): ReactNode => {
  const { t } = useTranslation('search')
  const [typed, setTyped] = useState<string>()
  const json = JSON.stringify(treeOf(target, root) ?? { allOf: [] }, null, 2)
  const text = typed ?? json
  const outcome = typed === undefined ? undefined : conditionFromJson(target, typed)
  const fault = outcome && 'fault' in outcome ? outcome : undefined
  const take = (next: string): void => {
    setTyped(next)
    const read = conditionFromJson(target, next)
    if ('tree' in read) onChange(groupFrom(read.tree))
  }
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text)
      toast({ text: t('advanced.copied') })
    } catch {
      toast({ kind: 'problem', text: t('advanced.notCopied') })
    }
  }
  return (
    <Stack as="details" gap={2} className={styles.panel} onToggle={() => setTyped(undefined)}>
      <summary className={styles.summary}>{t('advanced.json')}</summary>
      <Textarea
        aria-label={t('advanced.json')}
        description={t('advanced.jsonHint')}
        rows={10}
        spellCheck={false}
        dir="ltr"
        classNames={{ input: styles.text ?? '' }}
        value={text}
        error={fault && faultText(t, fault)}
        onChange={({ currentTarget }) => take(currentTarget.value)}
        onBlur={() => {
          if (!fault) setTyped(undefined)
        }}
      />
      <Button size="xs" variant="default" onClick={() => void copy()}>
        {t('advanced.copy')}
      </Button>
    </Stack>
  )
}

const faultText = (t: ReturnType<typeof useTranslation<'search'>>['t'], { at, fault }: JsonFault): string =>
  fault === 'json'
    ? t('advanced.fault.json', { at })
    : `${at === '' ? t('advanced.atRoot') : at}: ${t(`advanced.fault.${fault}`)}`
