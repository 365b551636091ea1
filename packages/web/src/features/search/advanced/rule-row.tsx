import { operators } from '@carrel/api'
import { NativeSelect } from '@mantine/core'
import { memo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldsOf } from '../../../text/condition-text.ts'
import { Row, Text } from '../../../ui/layout/layout.tsx'
import { isFinished, kindOf, newRule, type Rule, withOperator } from './builder.ts'
import { PartActions } from './part-actions.tsx'
import styles from './rule-row.module.css'
import { TestValue } from './test-value.tsx'
import { useBuilder } from './use-builder.tsx'
import { useConditionText } from './use-condition-text.ts'

/** One field, one operator, and what it takes. */
export const RuleRow = memo(function RuleRow({ rule }: { readonly rule: Rule }): ReactNode {
  const { t } = useTranslation('search')
  const nameOf = useConditionText()
  const builder = useBuilder()
  const { target } = builder
  const { id, field, test, isNot } = rule
  const kind = kindOf(target, field)
  const fields = Object.keys(fieldsOf(target))
    .map((name) => ({ value: name, label: nameOf(name) }))
    .toSorted((one, other) => one.label.localeCompare(other.label))
  const words: readonly string[] = Object.values(operators[kind]).flat()
  const set = (next: Partial<Rule>): void =>
    builder.replace(id, (part) => (part.kind === 'rule' ? { ...part, ...next } : part))
  return (
    <Row gap={2} align="start" wrap className={styles.rule} role="group" aria-label={nameOf(field)}>
      {isNot ? <span className={styles.not}>{t('advanced.not')}</span> : null}
      <NativeSelect
        className={styles.field ?? ''}
        aria-label={t('advanced.fieldLabel')}
        data={fields}
        value={field}
        onChange={({ currentTarget }) => {
          const { field: chosen, test: fresh } = newRule(target, currentTarget.value)
          // The same kind of test goes on with what it has.
          set({ field: chosen, test: kindOf(target, chosen) === kind ? test : fresh })
        }}
      />
      <NativeSelect
        className={styles.operator ?? ''}
        aria-label={t('advanced.operatorLabel')}
        data={words.map((word) => ({ value: word, label: t(`advanced.operator.${word as 'is'}`) }))}
        value={test.operator}
        onChange={({ currentTarget }) => set({ test: withOperator(test, currentTarget.value) })}
      />
      <div className={styles.value}>
        <TestValue target={target} field={field} test={test} onChange={(next) => set({ test: next })} />
        {isFinished(kind, test) ? null : (
          <Text as="span" quiet size={12}>
            {t('advanced.unfinished')}
          </Text>
        )}
      </div>
      <PartActions part={rule} />
    </Row>
  )
})
