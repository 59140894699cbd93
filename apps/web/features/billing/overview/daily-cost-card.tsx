'use client';

import { prepareDailyCost } from '@penstock/charts';
import { DailyCostChart } from '@penstock/charts/daily-cost-chart';
import { Card, EmptyState } from '@penstock/ui';
import { ChartColumn } from 'lucide-react';
import { useMemo } from 'react';
import { QueryState, type RouterOutputs } from '../../../lib/trpc';
import { daysInMonth, monthStart, monthText } from '../dates';
import { useMonthByDay } from './use-running-month';

type MonthByDay = RouterOutputs['billing']['monthByDay'];

export function DailyCostCard() {
  const month = useMonthByDay();
  return (
    <Card
      title="Cost by day and cluster"
      description="Before credits. Daily amounts are not rounded. Each invoice line is rounded once."
    >
      <QueryState query={month} label="Loading daily cost" rows={5}>
        {(data) => <Chart month={data} />}
      </QueryState>
    </Card>
  );
}

function Chart({ month }: { month: MonthByDay }) {
  const start = monthStart(month.month);
  const data = useMemo(
    () => prepareDailyCost(month.days, month.clusters, daysInMonth(monthStart(month.month))),
    [month],
  );
  if (data.isEmpty) {
    return (
      <EmptyState icon={<ChartColumn />} title="No costs this month">
        You pay for each minute in which at least one agent of a cluster was alive, and for each GiB that producers
        write.
      </EmptyState>
    );
  }
  return <DailyCostChart data={data} month={monthText(start)} />;
}
