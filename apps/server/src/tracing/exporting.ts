import { ExportResultCode } from "@opentelemetry/core";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-proto";
import {
  defaultResource,
  detectResources,
  resourceAttributesEnvDetector,
  resourceFromAttributes,
  serviceNameEnvDetector,
} from "@opentelemetry/resources";
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Settings } from "@purser/platform/settings";
import type { ReportFailure } from "./port.ts";
import type { Spans } from "./spans.ts";

/** The timeout of one batch. A shutdown would otherwise wait for the collector. */
const timeoutMillis = 3000;

/** Creates the tracer provider, which exports spans in batches. It is not registered globally. */
export function openProvider(
  { url, share }: NonNullable<Settings["traces"]>,
  spans: Spans,
  reportFailure: ReportFailure,
): TracerProvider {
  const exporter = reporting(new OTLPTraceExporter({ url, timeoutMillis }), spans, reportFailure);
  const detectors = [resourceAttributesEnvDetector, serviceNameEnvDetector];
  return new TracerProvider({
    resource: defaultResource()
      .merge(resourceFromAttributes({ "service.name": "purser" }))
      .merge(detectResources({ detectors })),
    // Follows the sampling decision of the caller, so that traces have no gaps.
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(share) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
}

function reporting(exporter: SpanExporter, spans: Spans, reportFailure: ReportFailure): SpanExporter {
  let isFailing = false;
  return {
    export(batch, done) {
      // Exports outside the span of the request that completed the batch.
      spans.outside(() =>
        exporter.export(batch, (result) => {
          const failed = result.code !== ExportResultCode.SUCCESS;
          if (failed && !isFailing) reportFailure(result.error);
          isFailing = failed;
          done(result);
        }),
      );
    },
    shutdown: () => exporter.shutdown(),
  };
}
