// The files that are part of the program. Each is text in UTF-8 that ends with a zero, and lives as long as the program.
#ifndef CFILES_H
#define CFILES_H

// Sources/Answers/Pages/Assets
const char *_Nonnull conformance_js(void);
const char *_Nonnull curves_js(void);
const char *_Nonnull detail_js(void);
const char *_Nonnull elements_js(void);
const char *_Nonnull exploration_js(void);
const char *_Nonnull failure_js(void);
const char *_Nonnull filters_js(void);
const char *_Nonnull findings_js(void);
const char *_Nonnull heading_js(void);
const char *_Nonnull labels_js(void);
const char *_Nonnull lanes_js(void);
const char *_Nonnull layout_js(void);
const char *_Nonnull message_js(void);
const char *_Nonnull page_css(void);
const char *_Nonnull painting_js(void);
const char *_Nonnull run_js(void);
const char *_Nonnull sequence_js(void);
const char *_Nonnull side_js(void);
const char *_Nonnull soak_js(void);
const char *_Nonnull start_js(void);
const char *_Nonnull table_js(void);
const char *_Nonnull timeline_js(void);
const char *_Nonnull trace_js(void);

// Sources/Answers/Soaks/Plan/canary.yaml
const char *_Nonnull canary_yaml(void);

// Sources/Language/PromiseLibrary/Library
const char *_Nonnull accessory_protocol_r4_yaml(void);
const char *_Nonnull camera_yaml(void);
const char *_Nonnull field_invariants_yaml(void);
const char *_Nonnull fluents_yaml(void);
const char *_Nonnull peers_yaml(void);
const char *_Nonnull session_life_cycle_yaml(void);
const char *_Nonnull states_yaml(void);
const char *_Nonnull vendor_guide_yaml(void);

// Sources/Language/Promises/clauses.csv
const char *_Nonnull clauses_csv(void);

// Sources/Tool/anechoic/Starters/App
const char *_Nonnull AccessoryFinder_swift_txt(void);
const char *_Nonnull App_swift_txt(void);
const char *_Nonnull Inline_swift_txt(void);
const char *_Nonnull Package_swift_txt(void);
const char *_Nonnull Tests_swift_txt(void);
const char *_Nonnull main_swift_txt(void);
const char *_Nonnull topology_yaml_txt(void);

// Sources/Tool/anechoic/Starters/CI
const char *_Nonnull accessory_pics_yaml_txt(void);
const char *_Nonnull app_pics_yaml_txt(void);
const char *_Nonnull gate_yml_txt(void);
const char *_Nonnull gitlab_yml_txt(void);
const char *_Nonnull known_failures_yaml_txt(void);
const char *_Nonnull nightly_yml_txt(void);

// Sources/Tool/anechoic/Starters/Firmware
const char *_Nonnull Makefile_txt(void);
const char *_Nonnull device_swift_txt(void);
const char *_Nonnull device_yaml_txt(void);
const char *_Nonnull firmware_c_txt(void);
const char *_Nonnull firmware_py_txt(void);
const char *_Nonnull firmware_yaml_txt(void);
const char *_Nonnull manifest_swift_txt(void);

#endif
